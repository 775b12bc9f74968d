// SPDX-License-Identifier: Apache-2.0
#include "tests/fleet/shared_world.h"

#include <QTest>

#include <cmath>
#include <cstdint>

using namespace weir;
using namespace weir::fleet;
using namespace weir::fleet::test;

namespace {

constexpr std::int64_t kMinute = 60'000;

double rps(const std::optional<SharedGate>& gate)
{
    return gate ? static_cast<double>(gate->state.rate.rateMicro) / 1e6 : -1;
}

Outcome always429(std::int64_t)
{
    return Outcome::RateLimited;
}

} // namespace

/// What agents that share their gates through a real Redis do when it forgets, is away, or tells
/// another time (the table of routing.md section 5).
class TestRedisOutages final : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void emptiedItIsBackInFifteenSeconds();
    void withoutRedisEachGoesByItsShare();
    void halfAFleetCutOffSendsNoMoreThanTwice();
    void aClockThatJumpsChangesNothing_data();
    void aClockThatJumpsChangesNothing();
    void aRouteThatAnybodyUsedIsKnownToAll();
    void toldOnceWhatHappened();
    void nonsenseInRedisHeals_data();
    void nonsenseInRedisHeals();

private:
    ScratchRedis m_server;
};

void TestRedisOutages::init()
{
    m_server.say({"FLUSHALL"});
}

void TestRedisOutages::emptiedItIsBackInFifteenSeconds()
{
    SharedWorld world(m_server, 20);
    SharedWorld::Route& route = world.add("m", "p", 40);
    world.runFor(3'000);
    world.setRate(route, 12);
    world.runFor(10'000);
    const std::int64_t version = world.gate(route)->state.version;
    world.empty();
    const std::int64_t before = route.sent;
    world.runFor(15'000);
    const auto gate = world.gate(route);
    QVERIFY(std::abs(rps(gate) / 12 - 1) < 0.2);
    QVERIFY(gate->state.version >= version);
    QVERIFY(!gate->state.rate.slowStart);
    // Ten seconds of which nothing is known, and never more than twice the rate.
    QVERIFY(route.sent - before <= 2 * 12 * 15);
    QCOMPARE(world.count(routing::GateEventKind::Cut), 0);
    for (std::size_t agent = 0; agent < 20; ++agent) {
        QCOMPARE(world.gates(agent).emptied(), 1);
        QVERIFY(!world.gates(agent).isLocal());
    }
}

void TestRedisOutages::withoutRedisEachGoesByItsShare()
{
    SharedWorld world(m_server, 20);
    SharedWorld::Route& route = world.add("m", "p", 40);
    world.runFor(3'000);
    world.setRate(route, 20);
    world.runFor(15'000);
    world.cutOff = [](std::size_t) { return true; };
    world.runFor(5'000);
    for (std::size_t agent = 0; agent < 20; ++agent)
        QVERIFY(world.gates(agent).isLocal());
    std::int64_t before = route.sent;
    world.runFor(5 * kMinute);
    const double rate = static_cast<double>(route.sent - before) / 300;
    QVERIFY2(rate <= 20 * 1.05, qPrintable(QString::number(rate)));
    QVERIFY2(rate >= 20 * 0.7, qPrintable(QString::number(rate)));
    // Each by its own evidence.
    before = world.count(routing::GateEventKind::Cut);
    route.outcome = always429;
    world.runFor(kMinute);
    QVERIFY(world.count(routing::GateEventKind::Cut) >= before + 10);
    route.outcome = [](std::int64_t) { return Outcome::Ok; };
    world.cutOff = [](std::size_t) { return false; };
    world.runFor(5'000);
    for (std::size_t agent = 0; agent < 20; ++agent)
        QVERIFY(!world.gates(agent).isLocal());
    QVERIFY(std::abs(rps(world.gate(route)) / 20 - 1) < 0.2);
}

void TestRedisOutages::halfAFleetCutOffSendsNoMoreThanTwice()
{
    SharedWorld world(m_server, 20);
    SharedWorld::Route& route = world.add("m", "p", 60);
    world.runFor(3'000);
    world.setRate(route, 20);
    world.runFor(15'000);
    world.cutOff = [](std::size_t agent) { return agent % 2 == 0; };
    world.runFor(10'000);
    const std::int64_t before = route.sent;
    world.runFor(2 * kMinute);
    const double rate = static_cast<double>(route.sent - before) / 120;
    QVERIFY2(rate <= 20 * 2, qPrintable(QString::number(rate)));
    QVERIFY2(rate >= 20, qPrintable(QString::number(rate)));
}

void TestRedisOutages::aClockThatJumpsChangesNothing_data()
{
    QTest::addColumn<int>("seconds");
    for (const int seconds : {-86'400, -7, 7, 86'400})
        QTest::addRow("%d s", seconds) << seconds;
}

void TestRedisOutages::aClockThatJumpsChangesNothing()
{
    QFETCH(int, seconds);
    SharedWorld world(m_server, 5);
    SharedWorld::Route& route = world.add("m", "p", 20);
    SharedWorld::Route& broken = world.add("m", "q", 20);
    world.runFor(3'000);
    world.setRate(route, 10);
    world.runFor(20'000);
    broken.outcome = [](std::int64_t) { return Outcome::ServerError; };
    while (world.gate(broken)->state.breaker.state != BreakerState::Open)
        world.runFor(100);
    const std::int64_t openUntil = world.gate(broken)->state.breaker.openUntilMs;
    const std::int64_t jumpMs = world.nowMs();
    world.clockOffMs = seconds * 1'000;
    const std::int64_t before = route.sent;
    // Neither half-open before its time nor long after it.
    world.runFor(openUntil - jumpMs - 500);
    QCOMPARE(world.gate(broken)->state.breaker.state, BreakerState::Open);
    world.runFor(1'500);
    QVERIFY(
        world.gate(broken)->state.breaker.openUntilMs > openUntil ||
        world.gate(broken)->state.breaker.state == BreakerState::HalfOpen);
    world.runFor(20'000);
    QCOMPARE(world.count(routing::GateEventKind::Cut, route), 0);
    QCOMPARE(rps(world.gate(route)), 10.0);
    const double rate = static_cast<double>(route.sent - before) * 1000 /
                        static_cast<double>(world.nowMs() - jumpMs);
    QVERIFY2(std::abs(rate / 10 - 1) < 0.15, qPrintable(QString::number(rate)));
    const double used = static_cast<double>(world.gate(route)->state.rate.usedMicro) / 1e6;
    QVERIFY2(std::abs(used / 10 - 1) < 0.3, qPrintable(QString::number(used)));
    for (std::size_t agent = 0; agent < 5; ++agent)
        QVERIFY(!world.gates(agent).isLocal());
}

void TestRedisOutages::aRouteThatAnybodyUsedIsKnownToAll()
{
    SharedWorld world(m_server, 3);
    SharedWorld::Route& old = world.add("m", "p", 20);
    SharedWorld::Route& fresh = world.add("m", "new", 20, true);
    world.runFor(20'000);
    QVERIFY(!world.gate(old)->state.rate.slowStart);
    QVERIFY(world.gate(fresh)->state.rate.slowStart);
    QVERIFY(rps(world.gate(fresh)) < 5);
    // Its state is lost, but not that it was used: no slow start for the second time.
    m_server.say({"HDEL", "weir:1:{new}:gate", "s:m"});
    m_server.say({"HSET", "weir:1:{p}:gate", "s:m", "damaged"});
    world.runFor(15'000);
    QVERIFY(!world.gate(fresh)->state.rate.slowStart);
    QVERIFY(!world.gate(old)->state.rate.slowStart);
}

void TestRedisOutages::toldOnceWhatHappened()
{
    SharedWorld world(m_server, 5);
    SharedWorld::Route& route = world.add("m", "p", 20);
    world.runFor(20'000);
    route.outcome = always429;
    world.runFor(15'000);
    route.outcome = [](std::int64_t) { return Outcome::Ok; };
    world.runFor(5'000);
    const std::int64_t cuts = world.count(routing::GateEventKind::Cut);
    QVERIFY(cuts > 0);
    std::int64_t logged = 0;
    for (const RedisReply& entry : m_server.say({"XRANGE", "weir:1:gatelog", "-", "+"}).items)
        logged += entry.items[1].items[1].text == "gate_cut" ? 1 : 0;
    QCOMPARE(logged, cuts);
    for (std::size_t agent = 0; agent < 5; ++agent) {
        const auto gauge = world.gates(agent).gauges(world.now()).at({"m", "p"});
        QCOMPARE(gauge.cuts, cuts);
        QVERIFY(gauge.cut || gauge.recovering);
        QCOMPARE(world.gates(agent).agents(), 5);
        QVERIFY(
            std::abs(static_cast<double>(world.gates(agent).demandMilliRps("m")) / 20'000 - 1) <
            0.3);
    }
}

void TestRedisOutages::nonsenseInRedisHeals_data()
{
    using Say = std::vector<RedisLink::Words>;
    const std::string gate = "weir:1:{p}:gate";
    const std::string inbox = "weir:1:{p}:inbox";
    QTest::addColumn<Say>("harm");
    for (const auto& [field, value] : std::vector<std::pair<std::string, std::string>>{
             {"until", "9000000000000000000"},
             {"next", "99999999999999"},
             {"until", "soon"},
             {"token", "9223372036854775807"},
             {"token", "nan"},
             {"token", "-5"},
             {"seen", "99999999999999"},
             {"seen", "1826032800000"},
             {"seen", "1e300"},
             {"seen", "-inf"},
             {"seen", "1.5"},
             {"shift", "900000000000000000"},
             {"shift", "-99999999999"},
             {"shift", ""},
             {"born", "yesterday"}}) {
        QTest::addRow("%s=%s", field.c_str(), value.c_str()) << Say{{"HSET", gate, field, value}};
    }
    for (const char* const what : {"gate", "inbox", "used"}) {
        const std::string key = std::string{"weir:1:{p}:"} + what;
        QTest::addRow("%s is a list", what) << Say{{"DEL", key}, {"LPUSH", key, "x"}};
    }
    for (const int count : {4096, 9000}) {
        RedisLink::Words full{"HSET", inbox};
        for (int i = 0; i < count; ++i) {
            full.push_back("x" + std::to_string(i));
            full.emplace_back("junk");
        }
        QTest::addRow("%d pieces of junk in the inbox", count) << Say{full};
    }
    ReportMessage message;
    message.sentMs = 5;
    message.routes.emplace_back().model = "m";
    QTest::newRow("a message from the future")
        << Say{{"HSET", inbox, "77", "1 99999999999999 " + packed(message)}};
    QTest::newRow("a message with a time that is none")
        << Say{{"HSET", inbox, "77", "1 999999999999999999999999 " + packed(message)}};
}

/// Whatever anybody writes there: gates are shared again at once, and go by the known rate.
void TestRedisOutages::nonsenseInRedisHeals()
{
    QFETCH(std::vector<RedisLink::Words>, harm);
    SharedWorld world(m_server, 5);
    SharedWorld::Route& route = world.add("m", "p", 40);
    world.runFor(3'000);
    world.setRate(route, 12);
    world.runFor(10'000);
    for (const RedisLink::Words& words : harm) {
        const RedisReply said = m_server.say(words);
        QVERIFY2(!said.isError(), said.text.c_str());
    }
    const std::int64_t before = route.sent;
    world.runFor(5'000);
    for (std::size_t agent = 0; agent < 5; ++agent)
        QVERIFY(!world.gates(agent).isLocal());
    world.runFor(10'000);
    const auto gate = world.gate(route);
    QVERIFY2(std::abs(rps(gate) / 12 - 1) < 0.2, qPrintable(QString::number(rps(gate))));
    QVERIFY(!gate->state.rate.slowStart);
    QVERIFY(route.sent - before <= 2 * 12 * 15);
    QVERIFY(route.sent - before >= 12 * 15 / 2);
    QCOMPARE(world.count(routing::GateEventKind::Cut), 0);
    const std::int64_t left = m_server.say({"HLEN", "weir:1:{p}:inbox"}).number;
    QVERIFY2(left <= 5, qPrintable(QString::number(left)));
}

QTEST_GUILESS_MAIN(TestRedisOutages)
#include "tst_redis_outages.moc"
