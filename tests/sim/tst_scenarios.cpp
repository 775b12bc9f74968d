// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/ran.h"
#include "tests/sim/within.h"

#include <QTest>

#include <cmath>

using namespace weir;
using namespace weir::sim;

namespace {

constexpr double kHour = 3600.0;

} // namespace

/// Scenarios of routing.md section 14: who leads, when, and how traffic follows. Bounds are those
/// of the table.
class TstScenarios : public QObject
{
    Q_OBJECT

private slots:
    void steady();
    void discovery();
    void leaderBuckles();
    void recovery();
    void creditIsGone();
    void fourSlowdowns();
    void twoBursts();
    void hourBoundary();
    void leaderCacheBias();
    void smallSample();
    void leaderDead();
};

void TstScenarios::steady()
{
    const Ran ran("01-steady");
    WITHIN(ran.share("f", 0, 6 * kHour), 0.043, 0.057);
    QCOMPARE(ran.leaderChanges(), std::size_t{0});
    QVERIFY(ran.result.incidents.empty());
    QCOMPARE(ran.failures(), std::uint64_t{0});
    // What exploring costs against never leaving the leader.
    const Ran fixed("01-steady", SimPolicy::Fixed);
    const double overhead = static_cast<double>(ran.result.totals.costMicroUsd) /
                                static_cast<double>(fixed.result.totals.costMicroUsd) -
                            1.0;
    WITHIN(overhead, 0.010, 0.016);
}

void TstScenarios::discovery()
{
    const Ran ran("02-discovery");
    WITHIN(ran.counts("c", 600, 900).calls, 1, 1e9);
    WITHIN(ran.steepest("c", 600, 6 * kHour), 0.0, 0.15);
    QCOMPARE(ran.leaderChanges(600, 600 + kHour), std::size_t{1});
    WITHIN(ran.share("c", 600 + 5 * kHour, 6 * kHour), 0.85, 0.92);
}

void TstScenarios::leaderBuckles()
{
    const Ran ran("03-leader-buckles");
    WITHIN(ran.share("c", 0, 1800), 0.86, 0.92);
    WITHIN(ran.share("c", 1980, 2040), 0.0, 0.60);
    WITHIN(ran.share("c", 2400, 7200), 0.0, 0.45);
    WITHIN(ran.result.totals.userFailures, 0, 0.01 * 144'000);
    QCOMPARE(ran.incidents(IncidentKind::PartialErrors, "c"), std::size_t{1});
    for (const Incident& incident : ran.result.incidents) {
        if (incident.kind == IncidentKind::Demotion) continue;
        WITHIN((incident.onsetMs - ran.scenario.startEpochMs) / 1000, 1680, 1920);
    }
}

void TstScenarios::recovery()
{
    const Ran ran("04-recovery");
    const double back = 1800 + 2 * kHour;
    WITHIN(ran.secondsUntil("c", back, [](double x) { return x >= 0.85; }), 0, 75 * 60);
    QCOMPARE(ran.leaderChanges(back), std::size_t{1});
    WITHIN(ran.steepest("c", back, 5 * kHour), 0.0, 0.20);
}

/// B025.
void TstScenarios::creditIsGone()
{
    const Ran ran("05-credit");
    WITHIN(ran.share("c", 1860, 1920), 0.0, 0.01);
    WITHIN(ran.counts("c", 1860, 1800 + 3 * kHour).calls, 1, 2 * 179);
    QCOMPARE(ran.failures(), std::uint64_t{0});
    QCOMPARE(ran.gate("c").cuts, std::uint64_t{0});
    QCOMPARE(ran.gate("c").breakerOpened, std::uint64_t{0});
    const double back = 1800 + 3 * kHour;
    WITHIN(ran.secondsUntil("c", back, [](double x) { return x > 0.5; }), 0, 600);
    QCOMPARE(ran.incidents(IncidentKind::CreditExhausted, "c"), std::size_t{1});
}

void TstScenarios::fourSlowdowns()
{
    const Ran ran("06-four-slowdowns");
    double secondHours = 0.0;
    for (int i = 0; i < 4; ++i) {
        const double at = kHour + i * 4 * kHour;
        WITHIN(ran.share("f", at, at + kHour), 0.75, 1.0);
        // 3,000 calls in 600 tasks: one hour's explored share alone moves by a hundredth.
        WITHIN(ran.share("f", at + kHour, at + 2 * kHour), 0.90, 1.0);
        secondHours += ran.share("f", at + kHour, at + 2 * kHour);
        const double back = at + 2 * kHour;
        WITHIN(ran.secondsUntil("b", back, [](double x) { return x > 0.5; }), 0, 70 * 60);
        QCOMPARE(ran.leaderChanges(at, at + 4 * kHour), std::size_t{2});
    }
    WITHIN(secondHours / 4, 0.92, 1.0);
    for (const char* provider : {"b", "f"}) {
        QCOMPARE(ran.gate(provider).cuts, std::uint64_t{0});
        QCOMPARE(ran.gate(provider).breakerOpened, std::uint64_t{0});
    }
}

void TstScenarios::twoBursts()
{
    const Ran ran("07-two-bursts");
    for (const double at : {1800.0, 9000.0}) {
        WITHIN(ran.lowestRate("b", at, at + 60), 0.0, 0.5 * ran.lowestRate("b", at - 60, at));
        WITHIN(ran.share("f", at + 60, at + 180), 0.5, 1.0);
        WITHIN(
            ran.secondsUntil("b", at + 300, [](double x) { return x >= 0.9 * 0.95; }), 0, 12 * 60);
    }
    QCOMPARE(ran.failures(), std::uint64_t{0});
    QCOMPARE(ran.gate("b").breakerOpened, std::uint64_t{0});
    QCOMPARE(ran.incidents(IncidentKind::RateLimitBurst, "b"), std::size_t{2});
}

/// B158.
void TstScenarios::hourBoundary()
{
    const Ran plain("08-hour-boundary");
    const auto offset = static_cast<double>(plain.scenario.startEpochMs / 1000 % 3600);
    Share first;
    Share rest;
    for (double at = 0; at < static_cast<double>(plain.scenario.duration) / 1e6; at += 60) {
        const Share minute = plain.counts("f", at, at + 60);
        Share& sum = std::fmod(at + offset, kHour) < 60 ? first : rest;
        sum.calls += minute.calls;
        sum.all += minute.all;
    }
    // Tasks of five calls stay together: that widens the interval of the calls by sqrt(5).
    const double sigma = std::sqrt(5 * 0.05 * 0.95 / first.all);
    WITHIN(std::abs(first.ofAll() - rest.ofAll()), 0.0, std::max(0.006, 2.58 * sigma));
    const Ran shifted("08-hour-boundary-shifted");
    QCOMPARE(shifted.result.totals.costMicroUsd, plain.result.totals.costMicroUsd);
    for (std::size_t i = 0; i < plain.result.minutes.size(); ++i)
        QCOMPARE(shifted.result.minutes[i].calls, plain.result.minutes[i].calls);
}

/// B156.
void TstScenarios::leaderCacheBias()
{
    const Ran ran("14-leader-cache-bias");
    for (const MinuteRow& row : ran.result.minutes)
        WITHIN(row.score, 980'000'000, 1'000'000'000);
}

/// B157.
void TstScenarios::smallSample()
{
    const Ran ran("15-small-sample");
    WITHIN(ran.secondsUntil("b", 2 * kHour, [](double x) { return x < 0.5; }), 0, 15 * 60 + 300);
    QCOMPARE(ran.leaderChanges(), std::size_t{2});
    WITHIN(ran.secondsUntil("b", 4 * kHour, [](double x) { return x > 0.5; }), 0, 130 * 60);
}

void TstScenarios::leaderDead()
{
    const Ran ran("20-leader-dead");
    WITHIN(ran.share("f", 1260, 2400), 0.9, 1.0);
    QCOMPARE(ran.failures(), std::uint64_t{0});
    QCOMPARE(ran.gate("b").cuts, std::uint64_t{0});
    WITHIN(ran.counts("b", 2400, 2520).ofAll(), 0.0, 0.9);
    WITHIN(ran.secondsUntil("b", 2400, [](double x) { return x > 0.85; }), 120, 1500);
}

QTEST_APPLESS_MAIN(TstScenarios)
#include "tst_scenarios.moc"
