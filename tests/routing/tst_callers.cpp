// SPDX-License-Identifier: Apache-2.0
#include "common/routing/agent_gate.h"
#include "common/routing/decide.h"
#include "common/routing/shed_wait.h"
#include "tests/routing/chance.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace weir;
using namespace weir::routing;
using namespace weir::routing::test;

/// Fair among callers inside a class that does not fit (routing.md section 5).
class TestCallers final : public QObject
{
    Q_OBJECT

private slots:
    void whoAsksForLittleGetsAllOfIt();
    void whatIsLetThroughAddsUpToTheRoom();
    void theOrderOfCallersChangesNothing();
    void aBurstDoesNotUseUpTheClass_data();
    void aBurstDoesNotUseUpTheClass();
    void newNamesDoNotGetPastTheGate();
    void memoryIsBounded();
    void aCallerAloneIsTreatedAsBefore();
    void waitsAreHonestAndSpread();
    void aWaitIsOfTheFirstRouteWithRoom();
};

namespace {

constexpr std::int64_t kAll = 1'000'000;

/// Callers by their demand per second, steady for ten seconds.
CallerShares steady(const std::map<std::uint64_t, int>& demands, std::int32_t admitPpm)
{
    CallerShares shares;
    shares.settle(0);
    for (std::int64_t second = 1; second <= 10; ++second) {
        for (const auto& [caller, rps] : demands) {
            for (int i = 0; i < rps; ++i)
                shares.asked(caller, GateClass::Batch);
        }
        shares.settle(second * 1000);
    }
    shares.divide({1'000'000, 1'000'000, 1'000'000, admitPpm});
    return shares;
}

std::int64_t partOf(const CallerShares& shares, std::uint64_t caller, std::int32_t whole)
{
    return shares.partOf(caller, GateClass::Batch, whole).admitPpm;
}

} // namespace

void TestCallers::whoAsksForLittleGetsAllOfIt()
{
    // 20 of 40: equal parts are 5; 2 and 3 leave 15 for those who ask for 15 and 20.
    const CallerShares shares = steady({{1, 2}, {2, 3}, {3, 15}, {4, 20}}, 500'000);
    QCOMPARE(partOf(shares, 1, 500'000), kAll);
    QCOMPARE(partOf(shares, 2, 500'000), kAll);
    QVERIFY(std::abs(partOf(shares, 3, 500'000) - 7'500'000 / 15) < 1000);
    QVERIFY(std::abs(partOf(shares, 4, 500'000) - 7'500'000 / 20) < 1000);
    QVERIFY(shares.partOf(4, GateClass::Batch, 500'000).isOver);
    QVERIFY(!shares.partOf(1, GateClass::Batch, 500'000).isOver);
    // The classes that fit are divided among nobody.
    QCOMPARE(shares.partOf(4, GateClass::Fresh, 1'000'000).admitPpm, 1'000'000);
}

void TestCallers::whatIsLetThroughAddsUpToTheRoom()
{
    Chance chance{3};
    for (int round = 0; round < 200; ++round) {
        std::map<std::uint64_t, int> demands;
        const auto callers = static_cast<std::uint64_t>(2 + chance.below(20));
        std::int64_t whole = 0;
        for (std::uint64_t caller = 1; caller <= callers; ++caller) {
            demands[caller] = static_cast<int>(1 + chance.below(40));
            whole += demands[caller];
        }
        const auto admit = static_cast<std::int32_t>(chance.below(kAll));
        const CallerShares shares = steady(demands, admit);
        const double room = double(whole) * admit / 1e6;
        double passed = 0;
        double least = 1e9;
        for (const auto& [caller, rps] : demands) {
            const double got = double(rps) * double(partOf(shares, caller, admit)) / 1e6;
            passed += got;
            if (got < rps - 1e-3) least = std::min(least, got);
        }
        QVERIFY2(std::abs(passed - room) < 0.05, qPrintable(QString::number(passed - room)));
        // Max-min: nobody has more than the least of those who did not get all they asked for.
        for (const auto& [caller, rps] : demands) {
            QVERIFY(double(rps) * double(partOf(shares, caller, admit)) / 1e6 <= least + 0.05);
        }
        QVERIFY(least >= room / double(callers) - 0.05);
    }
}

void TestCallers::theOrderOfCallersChangesNothing()
{
    const std::map<std::uint64_t, int> demands{{1, 2}, {2, 30}, {3, 11}, {4, 4}};
    CallerShares mixed;
    mixed.settle(0);
    for (std::int64_t second = 1; second <= 10; ++second) {
        for (auto each = demands.rbegin(); each != demands.rend(); ++each) {
            for (int i = 0; i < each->second; ++i)
                mixed.asked(each->first, GateClass::Batch);
        }
        mixed.settle(second * 1000);
    }
    mixed.divide({1'000'000, 1'000'000, 1'000'000, 400'000});
    const CallerShares inOrder = steady(demands, 400'000);
    for (const auto& [caller, rps] : demands)
        QCOMPARE(partOf(mixed, caller, 400'000), partOf(inOrder, caller, 400'000));
}

void TestCallers::aBurstDoesNotUseUpTheClass_data()
{
    QTest::addColumn<bool>("batch");
    QTest::addColumn<bool>("quota");
    QTest::newRow("users, by the permitted rate") << false << false;
    QTest::newRow("batch, by the permitted rate") << true << false;
    QTest::newRow("users, by a quota") << false << true;
    QTest::newRow("batch, by a quota") << true << true;
}

/// One caller asks for 2 a second, another for 40, and 10 a second are permitted.
void TestCallers::aBurstDoesNotUseUpTheClass()
{
    QFETCH(bool, batch);
    QFETCH(bool, quota);
    GateParams params;
    if (quota) params.quota.milliRps = 10'000;
    AgentGate agent{1, true, params, 0};
    GateState gate = newGate(true);
    Chance chance{9};
    std::array<std::int64_t, 2> asked{};
    std::array<std::int64_t, 2> sent{};
    const GateClass kind = batch ? GateClass::Batch : GateClass::Fresh;
    const auto arrive = [&](std::uint64_t caller, std::int64_t now) {
        agent.asked(kind, caller);
        const GateView view = agent.view(now, {caller, batch});
        const bool counts = now > 20'000;
        asked[caller - 1] += counts ? 1 : 0;
        if (!view.guardOpen || !chance.happens(view.admitPpm[static_cast<std::size_t>(kind)]))
            return;
        if (!agent.takeGuard(now)) return;
        agent.dispatched(now);
        agent.finished(now, Outcome::Ok, 0, now);
        sent[caller - 1] += counts ? 1 : 0;
    };
    for (std::int64_t now = 0; now < 140'000; now += 10) {
        if (chance.happens(20'000)) arrive(1, now);
        if (chance.happens(400'000)) arrive(2, now);
        if (now % 250 != 0) continue;
        const GateReport report = agent.report(now, 42'000);
        agent.apply(step(gate, report, now, params), now);
        if (quota || now < 12'000) continue;
        gate.rate.rateMicro = 10'000'000;
        gate.rate.frozenUntilMs = 1'000'000;
    }
    const double small = double(sent[0]) / double(asked[0]);
    QVERIFY2(small > 0.85, qPrintable(QString::number(small)));
    const double all = double(sent[0] + sent[1]) / 120;
    QVERIFY2(all > 8 && all < 10.6, qPrintable(QString::number(all)));
}

void TestCallers::newNamesDoNotGetPastTheGate()
{
    CallerShares shares;
    shares.settle(0);
    std::uint64_t name = 1000;
    for (std::int64_t second = 1; second <= 20; ++second) {
        for (int i = 0; i < 50; ++i)
            shares.asked(++name, GateClass::Fresh);
        shares.settle(second * 1000);
        shares.divide({1'000'000, 200'000, 1'000'000, 1'000'000});
        QVERIFY(shares.partOf(++name, GateClass::Fresh, 200'000).admitPpm <= 200'000);
    }
}

void TestCallers::memoryIsBounded()
{
    CallerShares shares;
    shares.settle(0);
    for (std::int64_t second = 1; second <= 5; ++second) {
        for (std::uint64_t caller = 1; caller <= 5000; ++caller)
            shares.asked(caller, GateClass::Fresh);
        for (int i = 0; i < 100; ++i)
            shares.asked(1, GateClass::Fresh);
        shares.settle(second * 1000);
    }
    shares.divide({1'000'000, 500'000, 1'000'000, 1'000'000});
    // Those without a place of their own share one, and ask for much together.
    QVERIFY(shares.partOf(4999, GateClass::Fresh, 500'000).isOver);
    QVERIFY(!shares.partOf(2, GateClass::Fresh, 500'000).isOver);
}

void TestCallers::aCallerAloneIsTreatedAsBefore()
{
    const CallerShares shares = steady({{7, 40}}, 300'000);
    QCOMPARE(partOf(shares, 7, 300'000), 300'000);
    QVERIFY(!shares.partOf(7, GateClass::Batch, 300'000).isOver);
}

void TestCallers::waitsAreHonestAndSpread()
{
    DecisionInput input;
    input.mode = EffectiveMode::Adaptive;
    input.batch = true;
    input.seed = 5;
    input.routes.push_back({});
    input.routes[0].gate.recoversInMs = 10'000;
    Decision decision;
    decision.eligibleMask = 1;
    std::map<std::int64_t, int> bySecond;
    for (std::uint64_t request = 0; request < 2000; ++request) {
        input.requestKey = {request * 77, 3};
        const std::int64_t wait = shedWaitMs(input, decision);
        QVERIFY(wait >= 10'000 && wait < 20'000);
        QCOMPARE(shedWaitMs(input, decision), wait);
        ++bySecond[wait / 1000];
    }
    QCOMPARE(bySecond.size(), std::size_t{10});
    for (const auto& [second, count] : bySecond)
        QVERIFY(count > 120 && count < 280);
}

void TestCallers::aWaitIsOfTheFirstRouteWithRoom()
{
    DecisionInput input;
    for (const std::int64_t ms : {400'000, 8'000, 100, 0}) {
        input.routes.push_back({});
        input.routes[input.routes.size() - 1].gate.recoversInMs = ms;
    }
    Decision decision;
    decision.eligibleMask = 0b0001;
    QCOMPARE(shedWaitMs(input, decision), 300'000);
    decision.eligibleMask = 0b0011;
    QVERIFY(shedWaitMs(input, decision) >= 8'000 && shedWaitMs(input, decision) < 16'000);
    decision.eligibleMask = 0b0111;
    QVERIFY(shedWaitMs(input, decision) >= 1'000 && shedWaitMs(input, decision) < 2'000);
}

QTEST_APPLESS_MAIN(TestCallers)
#include "tst_callers.moc"
