// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"
#include "agent/run/fleet_loop.h"
#include "tests/fleet/scratch_redis.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <mutex>
#include <vector>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::fleet;
using namespace weir::fleet::test;
using namespace weir::run;

namespace {

/// What one agent has of the fleet.
struct Member
{
    explicit Member(const RedisAddress& address, const std::string& id = "a")
        : redis(std::make_unique<Redis>(address))
        , states(
              {}, net::monotonicNow(), redisTime(*redis).value_or(net::utcNow()), agentNumber(id))
        , route(states.of("m", "p", net::monotonicNow()))
        , loop(options(id), std::move(redis), states)
    {
        loop.gates().restore({{"m", "p", ""}}, net::monotonicNow());
        loop.start();
    }

    FleetLoopOptions options(const std::string& id)
    {
        FleetLoopOptions options;
        options.agentId = id;
        options.alerts = &alerts;
        options.onSummary = [this](Summary summary) {
            const std::scoped_lock lock(mutex);
            summaries.push_back(summary.id);
        };
        return options;
    }

    void attempt()
    {
        route->asked(GateClass::Fresh);
        RouteState::Flight flight(*route, net::monotonicNow());
        flight.ended(Outcome::Ok, 0ms, net::monotonicNow());
    }

    [[nodiscard]] std::vector<std::string> seen()
    {
        const std::scoped_lock lock(mutex);
        return summaries;
    }

    StandingAlerts alerts;
    std::mutex mutex;
    std::vector<std::string> summaries;
    std::unique_ptr<Redis> redis;
    RouteStates states;
    std::shared_ptr<RouteState> route;
    FleetLoop loop;
};

Summary summaryOf(const std::string& id, std::int64_t computedAtMs)
{
    Summary summary;
    summary.id = id;
    summary.computedAtMs = computedAtMs;
    return summary;
}

} // namespace

/// The thread that shares with a fleet through a real Redis, through its troubles.
class TestFleetLoop final : public QObject
{
    Q_OBJECT

private slots:
    void agentsShareTheirGates();
    void theLastWordsAreHeard();
    void saysWhatRedisDoesNot_data();
    void saysWhatRedisDoesNot();
    void saysThatTheGatesAreNotAnswered();
    void startsWithoutRedis();
    void aClusterServesToo();
    void summariesReachTheOthers();
    void anOlderSummaryReplacesNone();
    void nonsenseInItsPlaceGivesWay_data();
    void nonsenseInItsPlaceGivesWay();
};

void TestFleetLoop::agentsShareTheirGates()
{
    ScratchRedis server;
    Member first(server.address(), "a");
    Member second(server.address(), "b");
    QCOMPARE(first.loop.redis(), std::string{"ok"});
    QTRY_COMPARE(first.loop.gates().agents(), 2);
    for (int i = 0; i < 20; ++i)
        first.attempt();
    const auto demand = [&] {
        return second.loop.gates().gauges(net::monotonicNow()).at({"m", "p"}).demandMilliRps;
    };
    QTRY_VERIFY(demand() > 1000);
    QVERIFY(!second.loop.gates().isLocal());
    QVERIFY(second.alerts.list().empty());
    // What was stepped is there to be saved, by whoever stepped it.
    std::vector<SavedGate> saved = first.loop.gates().save();
    const auto more = [&] {
        for (SavedGate& gate : second.loop.gates().save())
            saved.push_back(std::move(gate));
        return !saved.empty();
    };
    QTRY_VERIFY(more());
}

void TestFleetLoop::theLastWordsAreHeard()
{
    ScratchRedis server;
    Member member(server.address());
    QTRY_COMPARE(member.loop.gates().agents(), 1);
    for (int i = 0; i < 7; ++i)
        member.attempt();
    member.loop.stop();
    const auto gate = unpackGate(server.say({"HGET", "weir:1:{p}:gate", "s:m"}).text);
    QVERIFY(gate);
    std::int64_t ok = 0;
    for (const routing::Cohort& cohort : gate->state.cohorts.buckets)
        ok += cohort.ok;
    QCOMPARE(ok, 7);
}

void TestFleetLoop::saysWhatRedisDoesNot_data()
{
    using Act = std::function<void(ScratchRedis&)>;
    QTest::addColumn<Act>("harm");
    QTest::addColumn<Act>("heal");
    QTest::addColumn<QString>("word");
    const auto say = [](std::vector<RedisLink::Words> all) {
        return Act([all](ScratchRedis& server) {
            for (const RedisLink::Words& words : all)
                static_cast<void>(server.say(words));
        });
    };
    QTest::newRow("killed") << Act([](ScratchRedis& server) { server.kill(); })
                            << Act([](ScratchRedis& server) { server.start(); }) << "unreachable";
    QTest::newRow("frozen") << Act([](ScratchRedis& server) { server.freeze(); })
                            << Act([](ScratchRedis& server) { server.thaw(); }) << "unreachable";
    QTest::newRow("a replica") << say({{"REPLICAOF", "127.0.0.1", "1"}})
                               << say({{"REPLICAOF", "NO", "ONE"}}) << "readonly";
    QTest::newRow("full") << say({{"CONFIG", "SET", "maxmemory", "1"}})
                          << say({{"CONFIG", "SET", "maxmemory", "0"}}) << "oom";
    QTest::newRow("locked") << say({{"ACL", "SETUSER", "default", "-evalsha", "-eval"}})
                            << say({{"ACL", "SETUSER", "default", "+@all"}}) << "noauth";
}

void TestFleetLoop::saysWhatRedisDoesNot()
{
    using Act = std::function<void(ScratchRedis&)>;
    QFETCH(Act, harm);
    QFETCH(Act, heal);
    QFETCH(QString, word);
    ScratchRedis server;
    Member member(server.address());
    QTRY_COMPARE(member.loop.gates().agents(), 1);
    harm(server);
    // Contract section 2: within 2 s of the first failure, and that comes with the next exchange.
    QTRY_COMPARE_WITH_TIMEOUT(member.loop.redis(), std::string{"down"}, 2300);
    QTRY_VERIFY(!member.alerts.list().empty());
    const Alert alert = member.alerts.list().front();
    QCOMPARE(alert.kind, std::string{"redis_down"});
    QVERIFY2(alert.text.find(word.toStdString()) != std::string::npos, alert.text.c_str());
    QTRY_VERIFY_WITH_TIMEOUT(member.loop.gates().isLocal(), 4000);
    heal(server);
    QTRY_COMPARE_WITH_TIMEOUT(member.loop.redis(), std::string{"ok"}, 4000);
    QTRY_VERIFY(!member.loop.gates().isLocal());
    QTRY_VERIFY(member.alerts.list().empty());
}

/// Redis does all that it is asked, but the gates wait in vain: somebody has the turn all the time.
void TestFleetLoop::saysThatTheGatesAreNotAnswered()
{
    const std::string gate = "weir:1:{p}:gate";
    ScratchRedis server;
    Member member(server.address());
    QTRY_COMPARE(member.loop.gates().agents(), 1);
    const auto isDownWhileKept = [&] {
        const std::int64_t seen = std::stoll(server.say({"HGET", gate, "seen"}).text);
        server.say({"HSET", gate, "until", std::to_string(seen + 450)});
        return member.loop.redis() == "down";
    };
    QTRY_VERIFY_WITH_TIMEOUT(isDownWhileKept(), 10'000);
    QVERIFY(member.loop.gates().isLocal());
    QTRY_VERIFY(!member.alerts.list().empty());
    QVERIFY(member.alerts.list().front().text.find("unanswered") != std::string::npos);
    QTRY_COMPARE(member.loop.redis(), std::string{"ok"});
    QTRY_VERIFY(member.alerts.list().empty());
}

void TestFleetLoop::startsWithoutRedis()
{
    ScratchRedis server;
    server.kill();
    Member member(server.address());
    QCOMPARE(member.loop.redis(), std::string{"down"});
    server.start();
    QTRY_COMPARE(member.loop.redis(), std::string{"ok"});
    QTRY_COMPARE(member.loop.gates().agents(), 1);
}

void TestFleetLoop::aClusterServesToo()
{
    ScratchCluster cluster;
    Member member(cluster.servers[0]->address());
    for (int i = 0; i < 10; ++i)
        static_cast<void>(member.states.of("m", "p" + std::to_string(i), net::monotonicNow()));
    const auto known = [&] {
        const auto gauges = member.loop.gates().gauges(net::monotonicNow());
        return std::ranges::count_if(
            gauges, [](const auto& each) { return each.second.view.permittedMilliRps > 0; });
    };
    QTRY_COMPARE(known(), 11);
    QCOMPARE(member.loop.redis(), std::string{"ok"});
    member.loop.publish(summaryOf("x", 1), 1);
    Member other(cluster.servers[2]->address(), "b");
    QTRY_COMPARE(other.seen(), std::vector<std::string>{"x"});
}

void TestFleetLoop::summariesReachTheOthers()
{
    ScratchRedis server;
    Member first(server.address(), "a");
    Member second(server.address(), "b");
    first.loop.publish(summaryOf("one", 1000), 1);
    QTRY_COMPARE(second.seen(), std::vector<std::string>{"one"});
    first.loop.publish(summaryOf("two", 2000), 1);
    QTRY_COMPARE(second.seen(), (std::vector<std::string>{"one", "two"}));
    // Redis forgets it: who made it puts it there again.
    server.say({"DEL", "weir:1:summary"});
    Member third(server.address(), "c");
    QTRY_COMPARE(third.seen(), std::vector<std::string>{"two"});
    QVERIFY(first.seen().empty());
    QCOMPARE(second.seen().size(), 2U);
}

void TestFleetLoop::anOlderSummaryReplacesNone()
{
    ScratchRedis server;
    Member elected(server.address(), "a");
    Member before(server.address(), "b");
    elected.loop.publish(summaryOf("new", 5000), 7);
    const auto id = [&] { return server.say({"HGET", "weir:1:summary", "id"}).text; };
    QTRY_COMPARE(id(), std::string{"new"});
    // Of an agent that was elected before and does not know better; and of an earlier time.
    before.loop.publish(summaryOf("fenced", 9000), 6);
    QTRY_COMPARE(before.seen(), std::vector<std::string>{"new"});
    before.loop.publish(summaryOf("earlier", 4000), 7);
    before.loop.publish(summaryOf("later", 6000), 7);
    QTRY_COMPARE(id(), std::string{"later"});
    QTRY_COMPARE(elected.seen(), std::vector<std::string>{"later"});
}

void TestFleetLoop::nonsenseInItsPlaceGivesWay_data()
{
    using Say = std::vector<RedisLink::Words>;
    const std::string key = "weir:1:summary";
    QTest::addColumn<Say>("harm");
    QTest::newRow("a list") << Say{{"DEL", key}, {"LPUSH", key, "x"}};
    QTest::newRow("of an agent that nobody will ever be elected after")
        << Say{{"DEL", key}, {"HSET", key, "id", "x", "token", "9e15", "json", "{"}};
    QTest::newRow("words for numbers")
        << Say{{"HSET", key, "id", "x", "token", "many", "computed_at_ms", "soon"}};
    QTest::newRow("put there in a time to come")
        << Say{{"HSET", key, "token", "900000", "put_at_s", "99999999999"}};
    QTest::newRow("put there long ago") << Say{{"HSET", key, "token", "900000", "put_at_s", "1"}};
}

void TestFleetLoop::nonsenseInItsPlaceGivesWay()
{
    QFETCH(std::vector<RedisLink::Words>, harm);
    ScratchRedis server;
    Member elected(server.address(), "a");
    const auto id = [&] { return server.say({"HGET", "weir:1:summary", "id"}).text; };
    elected.loop.publish(summaryOf("one", 1000), 1);
    QTRY_COMPARE(id(), std::string{"one"});
    for (const RedisLink::Words& words : harm)
        QVERIFY(!server.say(words).isError());
    elected.loop.publish(summaryOf("two", 2000), 1);
    QTRY_COMPARE(id(), std::string{"two"});
    Member other(server.address(), "b");
    QTRY_COMPARE(other.seen(), std::vector<std::string>{"two"});
}

QTEST_GUILESS_MAIN(TestFleetLoop)
#include "tst_fleet_loop.moc"
