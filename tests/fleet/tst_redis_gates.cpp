// SPDX-License-Identifier: Apache-2.0
#include "tests/fleet/shared_world.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace weir;
using namespace weir::fleet;
using namespace weir::fleet::test;

namespace {

constexpr std::int64_t kMinute = 60'000;

double rps(const std::optional<SharedGate>& gate)
{
    return gate ? static_cast<double>(gate->state.rate.rateMicro) / 1e6 : -1;
}

/// The most that routing.md section 5 lets through in ten seconds.
double mostIn10s(double limit, std::size_t agents)
{
    const double guards = std::max(2.0 * static_cast<double>(agents), 3 * limit);
    return 10 * limit + 3 * std::sqrt(10 * limit) + guards;
}

Outcome always429(std::int64_t)
{
    return Outcome::RateLimited;
}

} // namespace

/// What agents that share their gates through a real Redis send together (routing.md section 5).
class TestRedisGates final : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void theFleetStaysBelowTheRates();
    void inTheLongRunNothingIsSentBeyondTheRate_data();
    void inTheLongRunNothingIsSentBeyondTheRate();
    void everythingIsCountedOnce();
    void idleAgentsStrandNothing();
    void whoeverAsksHasTheSameChance();
    void aQuotaIsUsedByAllTogether_data();
    void aQuotaIsUsedByAllTogether();
    void atMostThreeProbesAreUnderWay();
    void isCutOnceInFiveSeconds();

private:
    ScratchRedis m_server;
};

void TestRedisGates::init()
{
    m_server.say({"FLUSHALL"});
}

void TestRedisGates::theFleetStaysBelowTheRates()
{
    constexpr std::array<double, 5> kLimits{0.5, 2, 6, 12, 20};
    SharedWorld world(m_server, 20);
    for (std::size_t i = 0; i < 10; ++i)
        world.add("m" + std::to_string(i / 5), "p" + std::to_string(i % 5), 2 * kLimits[i % 5]);
    world.runFor(3'000);
    for (std::size_t i = 0; i < 10; ++i)
        world.setRate(world.route(i), kLimits[i % 5]);
    world.lossPpm = 50'000;
    world.diePpm = 2'000;
    world.stallPpm = 10'000;
    world.runFor(10'000);
    std::vector<std::int64_t> before(10);
    for (int window = 0; window < 4; ++window) {
        for (std::size_t i = 0; i < 10; ++i)
            before[i] = world.route(i).sent;
        world.runFor(10'000);
        for (std::size_t i = 0; i < 10; ++i) {
            const auto sent = static_cast<double>(world.route(i).sent - before[i]);
            QVERIFY(sent <= mostIn10s(kLimits[i % 5], 20));
        }
    }
    QVERIFY(world.deaths > 0);
}

void TestRedisGates::inTheLongRunNothingIsSentBeyondTheRate_data()
{
    QTest::addColumn<double>("limit");
    QTest::addColumn<int>("lossPpm");
    QTest::newRow("little") << 1.0 << 0;
    QTest::newRow("much") << 20.0 << 0;
    QTest::newRow("with answers lost") << 20.0 << 200'000;
}

void TestRedisGates::inTheLongRunNothingIsSentBeyondTheRate()
{
    QFETCH(double, limit);
    QFETCH(int, lossPpm);
    SharedWorld world(m_server, 20);
    SharedWorld::Route& route = world.add("m", "p", 2 * limit);
    world.runFor(3'000);
    world.setRate(route, limit);
    world.lossPpm = lossPpm;
    world.stallPpm = 10'000;
    world.runFor(10'000);
    const std::int64_t before = route.sent;
    world.runFor(2 * kMinute);
    const auto sent = static_cast<double>(route.sent - before);
    QVERIFY2(
        sent <= limit * 120 * 1.01 + 5 * std::max(1.0, limit), qPrintable(QString::number(sent)));
    QVERIFY2(sent >= limit * 120 * 0.85, qPrintable(QString::number(sent)));
    QCOMPARE(rps(world.gate(route)), limit);
}

void TestRedisGates::everythingIsCountedOnce()
{
    SharedWorld world(m_server, 20);
    SharedWorld::Route& one = world.add("m", "p", 20);
    SharedWorld::Route& other = world.add("n", "p", 5);
    world.runFor(1'000);
    world.lossPpm = 100'000;
    world.stallPpm = 50'000;
    world.runFor(kMinute);
    world.lossPpm = world.stallPpm = 0;
    one.demandRps = other.demandRps = 0;
    world.runFor(4'000);
    for (const SharedWorld::Route* route : {&one, &other}) {
        const auto gate = world.gate(*route);
        QVERIFY(gate);
        const routing::Evidence all =
            routing::sumOf(gate->state.cohorts, world.nowMs() - 10 * kMinute, world.nowMs());
        QCOMPARE(all.ok, route->sent);
        QCOMPARE(all.attempts, route->sent);
    }
}

void TestRedisGates::idleAgentsStrandNothing()
{
    SharedWorld world(m_server, 20);
    world.weight = [](std::size_t agent) { return agent == 13 ? 1.0 : 0.0; };
    SharedWorld::Route& busy = world.add("m", "p", 20);
    SharedWorld::Route& within = world.add("m", "q", 8);
    world.runFor(3'000);
    world.setRate(busy, 10);
    world.setRate(within, 10);
    world.runFor(10'000);
    busy.sent = within.sent = within.asked = 0;
    world.runFor(kMinute);
    QVERIFY2(busy.sent >= 540, qPrintable(QString::number(busy.sent)));
    QVERIFY(within.sent >= within.asked * 97 / 100);
}

void TestRedisGates::whoeverAsksHasTheSameChance()
{
    SharedWorld world(m_server, 20);
    // One asks for nine times as much as each of the first ten, for 2.25 times that of the others.
    world.weight = [](std::size_t agent) { return agent == 0 ? 9.0 : agent < 10 ? 1.0 : 4.0; };
    SharedWorld::Route& route = world.add("m", "p", 59);
    world.runFor(3'000);
    world.setRate(route, 29.5);
    world.runFor(10'000);
    route.askedOf.assign(20, 0);
    route.sentBy.assign(20, 0);
    world.runFor(3 * kMinute);
    const auto chance = [&](std::size_t from, std::size_t to) {
        std::int64_t asked = 0;
        std::int64_t sent = 0;
        for (std::size_t i = from; i < to; ++i) {
            asked += route.askedOf[i];
            sent += route.sentBy[i];
        }
        return static_cast<double>(sent) / static_cast<double>(asked);
    };
    const double all = chance(0, 20);
    QVERIFY(std::abs(chance(0, 1) / all - 1) < 0.1);
    QVERIFY(std::abs(chance(1, 10) / all - 1) < 0.1);
    QVERIFY(std::abs(chance(10, 20) / all - 1) < 0.04);
}

void TestRedisGates::aQuotaIsUsedByAllTogether_data()
{
    QTest::addColumn<double>("quota");
    QTest::addColumn<double>("demand");
    QTest::addColumn<int>("agents");
    QTest::newRow("little for each") << 8.0 << 14.0 << 10;
    QTest::newRow("less than one for each") << 2.0 << 6.0 << 20;
    QTest::newRow("much") << 40.0 << 80.0 << 10;
    QTest::newRow("more than is asked for") << 20.0 << 14.0 << 10;
    QTest::newRow("one agent") << 5.0 << 10.0 << 1;
}

void TestRedisGates::aQuotaIsUsedByAllTogether()
{
    QFETCH(double, quota);
    QFETCH(double, demand);
    QFETCH(int, agents);
    SharedWorld world(m_server, static_cast<std::size_t>(agents));
    SharedWorld::Route& route = world.add("m", "p", demand);
    world.setQuota(route, {.milliRps = static_cast<std::int64_t>(quota * 1000)});
    world.runFor(15'000);
    route.sent = route.asked = 0;
    world.runFor(kMinute);
    const auto sent = static_cast<double>(route.sent);
    const double most = quota * 60 + std::max(3.0 * agents, quota);
    const double least = 0.9 * std::min(quota * 60, static_cast<double>(route.asked));
    QVERIFY2(sent <= most && sent >= least, qPrintable(QString::number(sent)));
}

void TestRedisGates::atMostThreeProbesAreUnderWay()
{
    SharedWorld world(m_server, 20);
    SharedWorld::Route& route = world.add("m", "p", 30);
    route.takesMs = 2'000;
    world.runFor(20'000);
    const std::int64_t healAt = world.nowMs() + 2 * kMinute;
    route.outcome = [healAt](std::int64_t nowMs) {
        return nowMs < healAt ? Outcome::ServerError : Outcome::Ok;
    };
    world.lossPpm = 50'000;
    world.stallPpm = 20'000;
    world.runFor(30'000);
    QVERIFY(world.gate(route)->state.breaker.state != BreakerState::Closed);
    // Those that were sent before it opened.
    route.probesMost = route.probes;
    world.runFor(5 * kMinute);
    QVERIFY2(route.probesMost <= 3, qPrintable(QString::number(route.probesMost)));
    QCOMPARE(world.gate(route)->state.breaker.state, BreakerState::Closed);
    QVERIFY(world.count(routing::GateEventKind::BreakerOpened) >= 2);
    QCOMPARE(world.count(routing::GateEventKind::BreakerClosed), 1);
}

void TestRedisGates::isCutOnceInFiveSeconds()
{
    SharedWorld world(m_server, 20);
    SharedWorld::Route& route = world.add("m", "p", 40);
    world.runFor(30'000);
    route.outcome = always429;
    world.lossPpm = 100'000;
    world.stallPpm = 20'000;
    world.runFor(kMinute);
    std::int64_t last = 0;
    int cuts = 0;
    for (const auto& [key, event] : world.events) {
        if (event.kind != routing::GateEventKind::Cut) continue;
        QVERIFY(event.atMs - last >= 5'000);
        last = event.atMs;
        ++cuts;
    }
    QVERIFY(cuts >= 4);
    QVERIFY(rps(world.gate(route)) > 0);
}

QTEST_GUILESS_MAIN(TestRedisGates)
#include "tst_redis_gates.moc"
