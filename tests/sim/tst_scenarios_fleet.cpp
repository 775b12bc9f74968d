// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/ran.h"
#include "tests/sim/within.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace weir;
using namespace weir::sim;

namespace {

constexpr double kHour = 3600.0;

/// Minutes from `fromS` on whose median TTFT is above `limitS`, as a share of all.
double slowMinutes(const Ran& ran, double fromS, double limitS)
{
    double slow = 0.0;
    double all = 0.0;
    for (const MinuteRow& row : ran.result.minutes) {
        if (static_cast<double>(row.minute * 60) < fromS) continue;
        all += 1.0;
        if (static_cast<double>(row.ttftP50) / 1e6 > limitS) slow += 1.0;
    }
    return slow / all;
}

/// Mean of min(R, demand) / demand over the run.
double meanRoom(const Ran& ran, std::string_view provider, double demandRps)
{
    double sum = 0.0;
    double count = 0.0;
    for (double at = 0.0; at < static_cast<double>(ran.scenario.duration) / 1e6; at += 60.0) {
        sum += std::min(1.0, ran.lowestRate(provider, at, at + 60.0) / demandRps);
        count += 1.0;
    }
    return sum / count;
}

/// Standard deviation of a provider's share over minutes.
double unrest(const Ran& ran, std::string_view provider, double fromS, double toS)
{
    double count = 0.0;
    double sum = 0.0;
    double square = 0.0;
    for (double at = fromS; at < toS; at += 60.0) {
        const double share = ran.share(provider, at, at + 60.0);
        count += 1.0;
        sum += share;
        square += share * share;
    }
    return std::sqrt(square / count - sum / count * (sum / count));
}

} // namespace

/// Scenarios of routing.md section 14: gates, agents and what they share. Bounds are those of the
/// table.
class TstScenariosFleet : public QObject
{
    Q_OBJECT

private slots:
    void fivePercentErrors();
    void burstCountsOnce();
    void singleShot();
    void suppressedToTheFloor();
    void notTheProvidersFault();
    void hiddenCapacity();
    void nearEqual();
    void redis();
    void staleSummary();
    void regional();
};

/// B155.
void TstScenariosFleet::fivePercentErrors()
{
    const Ran busy("09-five-percent-errors");
    QCOMPARE(busy.gate("b").cuts, std::uint64_t{0});
    QCOMPARE(busy.gate("b").breakerOpened, std::uint64_t{0});
    WITHIN(busy.lowestRate("b", 0, 4 * kHour), 0.99 * 19.0, 1e6);
    const Ran quiet("09-five-percent-errors-slow");
    WITHIN(quiet.gate("b").cuts, 0, 6 * 6);
    QCOMPARE(quiet.gate("b").breakerOpened, std::uint64_t{0});
    WITHIN(meanRoom(quiet, "b", 1.9), 0.95, 1.0);
}

void TstScenariosFleet::burstCountsOnce()
{
    const Ran ran("10-burst-counts-once");
    WITHIN(ran.gate("b").cuts, 0, 1);
    WITHIN(ran.lowestRate("b", 1800, 3600), 0.5 * 19.0, 1e6);
}

/// B159.
void TstScenariosFleet::singleShot()
{
    const Ran ran("11-single-shot");
    QCOMPARE(ran.result.totals.userFailures, std::uint64_t{0});
}

/// B154.
void TstScenariosFleet::suppressedToTheFloor()
{
    const Ran ran("12-suppressed-to-the-floor");
    for (double at = 1800; at < 3 * kHour; at += 60)
        WITHIN(ran.counts("c", at, at + 60).calls, 1, 1e9);
    // At the sampling rate, 5 % of demand, a minute after the storm; then never the limit that is
    // felt.
    WITHIN(ran.lowestRate("c", 3660, 3 * kHour), 1.0, 1e6);
    WITHIN(ran.secondsUntil("c", 3600, [](double x) { return x > 0.8; }), 0, kHour);
}

void TstScenariosFleet::notTheProvidersFault()
{
    const Ran ran("13-not-the-providers-fault");
    QCOMPARE(ran.gate("b").cuts + ran.gate("f").cuts, std::uint64_t{0});
    QCOMPARE(ran.gate("b").breakerOpened + ran.gate("f").breakerOpened, std::uint64_t{0});
    QCOMPARE(ran.result.totals.userFailures, std::uint64_t{0});
    QVERIFY(ran.result.totals.callerErrors > 0);
    for (const ProviderTotals& provider : ran.result.totals.byProvider)
        QCOMPARE(provider.failures, std::uint64_t{0});
}

void TstScenariosFleet::hiddenCapacity()
{
    const Ran ran("16-herd-hidden-capacity");
    WITHIN(slowMinutes(ran, kHour, 13.0), 0.0, 0.02);
    WITHIN(ran.result.totals.userFailures, 0, 0.005 * 432'000);
    WITHIN(ran.leaderChanges(), 0, 1);
    QEXPECT_FAIL("", "0.053: the cap is probed upwards and found again", Continue);
    WITHIN(unrest(ran, "c", kHour, 6 * kHour), 0.0, 0.05);
}

/// B115, B161.
void TstScenariosFleet::nearEqual()
{
    const Ran ran("16-herd-near-equal");
    WITHIN(slowMinutes(ran, kHour, 13.0), 0.0, 0.02);
    WITHIN(ran.result.totals.userFailures, 0, 0.005 * 432'000);
    WITHIN(ran.leaderChanges(), 0, 1);
    WITHIN(unrest(ran, "a", kHour, 6 * kHour), 0.0, 0.05);
}

void TstScenariosFleet::redis()
{
    const Ran ran("17-redis");
    QCOMPARE(ran.result.totals.userFailures, std::uint64_t{0});
    QCOMPARE(ran.gate("b").cuts, std::uint64_t{0});
    WITHIN(ran.share("b", 1200, 1860), 0.9, 1.0);
    const double before = ran.lowestRate("b", 2940, 3000);
    WITHIN(ran.lowestRate("b", 3000, 3060), 0.8 * before, 1.2 * before);
    WITHIN(ran.share("b", 3000, 3120), 0.9, 1.0);
    QCOMPARE(ran.incidents(IncidentKind::GateLocal, ""), std::size_t{1});
    QCOMPARE(ran.incidents(IncidentKind::RedisEmpty, ""), std::size_t{1});
}

void TstScenariosFleet::staleSummary()
{
    const Ran ran("18-stale");
    // The last summary is of 1500 s.
    WITHIN(ran.counts("f", 1800, 2400).explored, 1, 1e9);
    const Share stale = ran.counts("f", 2460, 4800);
    QCOMPARE(stale.calls, 0.0);
    WITHIN(ran.counts("f", 5160, 7200).explored, 1, 1e9);
    QCOMPARE(ran.leaderChanges(), std::size_t{0});
    QCOMPARE(ran.result.totals.userFailures, std::uint64_t{0});
    QCOMPARE(ran.incidents(IncidentKind::StaleSummary, ""), std::size_t{1});
}

void TstScenariosFleet::regional()
{
    const Ran ran("19-regional");
    WITHIN(ran.share("a-eu", 1380, 3900), 0.0, 0.02);
    QCOMPARE(ran.failures(), std::uint64_t{0});
    QVERIFY(ran.gate("a-eu").breakerOpened >= 1);
    WITHIN(ran.share("a-eu", 3900, 4020), 0.0, 0.85);
    // a-us is within the margin, so it need not give the lead back; but the load is shared again.
    WITHIN(ran.share("a-eu", 6600, 7200), 0.2, 1.0);
}

QTEST_APPLESS_MAIN(TstScenariosFleet)
#include "tst_scenarios_fleet.moc"
