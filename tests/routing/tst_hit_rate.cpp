// SPDX-License-Identifier: Apache-2.0
#include "common/routing/hit_rate.h"
#include "common/routing/task_cost.h"
#include "tests/routing/learn_samples.h"

#include <QTest>

#include <array>

using namespace weir;
using namespace weir::routing;

namespace {

/// Five minutes of a route with 70 % of 100 calls, of whose input `hitPpm` came from the cache.
HitObservation leading(std::int64_t hitPpm)
{
    HitObservation seen;
    seen.calls5m = 70;
    seen.poolCalls5m = 100;
    seen.calls30m = 420;
    seen.input15m = kPpm;
    seen.cached15m = hitPpm;
    seen.inputBefore = kPpm;
    seen.cachedBefore = hitPpm;
    return seen;
}

HitRate after(int summaries, const HitObservation& seen)
{
    HitRate rate;
    for (int i = 1; i <= summaries; ++i)
        rate = nextHitRate(rate, seen, kDay + i * 5 * kMinute, kDay + (i - 1) * 5 * kMinute);
    return rate;
}

HitRate ledAt(std::int64_t hitPpm, std::int64_t calls, std::int64_t ageMs)
{
    HitRate rate;
    rate.steadyPpm = hitPpm;
    rate.steadyCalls = calls;
    rate.weightPpm = hitWeightPpm(ageMs);
    return rate;
}

} // namespace

class TestHitRate final : public QObject
{
    Q_OBJECT

private slots:
    void fadesAfterAWeek();
    void steadyAfterThreeQuartersOfAnHour();
    void oneMissingConditionIsNoSteadyState();
    void aBreakBeginsAnew();
    void isDrawnFromItsOwnToThePools();
    void costsByHand();
};

void TestHitRate::fadesAfterAWeek()
{
    QCOMPARE(hitWeightPpm(0), kPpm);
    QCOMPARE(hitWeightPpm(7 * kDay), kPpm);
    QCOMPARE(hitWeightPpm(21 * kDay), kPpm / 2);
    QCOMPARE(hitWeightPpm(30 * kDay), 320'222);
    QCOMPARE(hitWeightPpm(60 * kDay), 72'508);
    for (std::int64_t day = 0; day < 400; ++day)
        QVERIFY(hitWeightPpm((day + 1) * kDay) <= hitWeightPpm(day * kDay));
}

void TestHitRate::steadyAfterThreeQuartersOfAnHour()
{
    QVERIFY(!after(8, leading(800'000)).steadyPpm);
    const HitRate rate = after(9, leading(800'000));
    QCOMPARE(rate.steadyPpm, std::optional<std::int64_t>(800'000));
    QCOMPARE(rate.steadyCalls, 420);
    QCOMPARE(rate.steadyEndMs, kDay + 45 * kMinute);
    QCOMPARE(rate.weightPpm, kPpm);
    QCOMPARE(after(10, leading(800'000)).steadyCalls, 490);
}

void TestHitRate::oneMissingConditionIsNoSteadyState()
{
    HitObservation seen = leading(800'000);
    seen.calls5m = 49;
    QVERIFY(!after(20, seen).steadyPpm);
    seen.capped = true;
    QVERIFY(after(20, seen).steadyPpm);
    seen = leading(800'000);
    seen.calls30m = 199;
    QVERIFY(!after(20, seen).steadyPpm);
    seen = leading(800'000);
    seen.cachedBefore = 790'000;
    QVERIFY(!after(20, seen).steadyPpm);
    seen.cachedBefore = 790'001;
    QVERIFY(after(20, seen).steadyPpm);
}

void TestHitRate::aBreakBeginsAnew()
{
    HitRate rate = after(8, leading(800'000));
    HitObservation away = leading(800'000);
    away.calls5m = 5;
    const std::int64_t at = kDay + 40 * kMinute;
    rate = nextHitRate(rate, away, at + 5 * kMinute, at);
    QCOMPARE(rate.leadingSinceMs, 0);
    // The job itself was away for an hour: nobody saw whether the route went on leading.
    rate = after(8, leading(800'000));
    rate = nextHitRate(rate, leading(800'000), at + kHour, at);
    QVERIFY(!rate.steadyPpm);
    // A steady state that is over is kept as it was.
    rate = nextHitRate(after(9, leading(800'000)), away, at + 10 * kMinute, at + 5 * kMinute);
    QCOMPARE(rate.steadyPpm, std::optional<std::int64_t>(800'000));
    QCOMPARE(rate.steadyEndMs, kDay + 45 * kMinute);
}

/// B156.
void TestHitRate::isDrawnFromItsOwnToThePools()
{
    HitRate last = ledAt(900'000, 5000, kDay);
    HitRate old = ledAt(300'000, 500, 21 * kDay);
    HitRate never;
    const std::array<HitRate*, 3> all = {&last, &old, &never};
    settleHitRates(all, 123);
    // (1.0 * 1000 * 0.9 + 0.5 * 500 * 0.3) / (1000 + 250) = 0.78
    QCOMPARE(never.poolPpm, 780'000);
    QCOMPARE(never.usedPpm, 780'000);
    QCOMPARE(last.usedPpm, 900'000);
    QCOMPARE(old.usedPpm, 540'000);
    QVERIFY(old.usedPpm >= 300'000 && old.usedPpm <= old.poolPpm);
    HitRate first;
    HitRate second;
    const std::array<HitRate*, 2> fresh = {&first, &second};
    settleHitRates(fresh, 420'000);
    QCOMPARE(first.usedPpm, 420'000);
    QCOMPARE(second.usedPpm, 420'000);
}

void TestHitRate::costsByHand()
{
    PoolSummary pool;
    pool.taskInputTokens = 10'000;
    pool.taskOutputTokens = 1000;
    RouteFigures route;
    route.hit.usedPpm = 600'000;
    // 10,000 * (0.4 * $1.00 + 0.6 * $0.10) + 1000 * $2.00 per million = $0.0066.
    const Price price{1'000'000, 100'000, 1'250'000, 2'000'000};
    QCOMPARE(standardTaskCost(pool, route, price), 6'600'000);
    // Half of what is missed is written to the cache, at $1.25: 0.4 * 1.125.
    route.cacheWritePpm = 500'000;
    QCOMPARE(standardTaskCost(pool, route, price), 7'100'000);
    // A fifth more input for a task, and a tenth less output.
    route.taskInputPpm = 1'200'000;
    route.taskOutputPpm = 900'000;
    QCOMPARE(standardTaskCost(pool, route, price), 7'920'000);
    QCOMPARE(standardTaskCost(pool, route, std::nullopt), 0);
}

QTEST_APPLESS_MAIN(TestHitRate)
#include "tst_hit_rate.moc"
