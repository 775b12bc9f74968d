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

Ran ranWithout(const std::string& name, const GuardingRules& rules)
{
    return Ran(name, SimPolicy::Adaptive, rules);
}

/// A provider's attempts in the first five minutes of the hours, or in all the others.
enum class Part : std::uint8_t { HoursStart, HoursRest };

Share partOf(const Ran& ran, std::string_view provider, Part part)
{
    Share sum;
    const double end = static_cast<double>(ran.scenario.duration) / 1e6;
    for (double at = 0.0; at < end; at += 60.0) {
        if ((std::fmod(at, kHour) < 300.0) != (part == Part::HoursStart)) continue;
        const Share minute = ran.counts(provider, at, at + 60.0);
        sum.calls += minute.calls;
        sum.all += minute.all;
    }
    return sum;
}

} // namespace

/// Four faults that a router made in production, each in a scenario that provokes it: the rule that
/// guards against it holds the bound, and without that rule the fault is there.
class TstGuardingRules : public QObject
{
    Q_OBJECT

private slots:
    void silencedForGood();
    void leaderLookedCheaper();
    void slowLookedHealthy();
    void historyWipedHourly();
};

/// "f" answers nothing but 429 from 1800 s to 3000 s.
void TstGuardingRules::silencedForGood()
{
    const Ran guarded("bug-silenced-for-good");
    WITHIN(guarded.counts("f", 1800, 3000).calls, 20, 1e9);
    WITHIN(guarded.share("f", 3900, 2 * kHour), 0.043, 0.06);
    const Ran silenced = ranWithout("bug-silenced-for-good", {.rateFloor = false});
    QCOMPARE(silenced.counts("f", 3000, 2 * kHour).calls, 0.0);
}

/// "f" becomes 15 % cheaper than the leader after an hour, but only the leader's cache is warm.
void TstGuardingRules::leaderLookedCheaper()
{
    const Ran guarded("bug-leader-looked-cheaper");
    QCOMPARE(guarded.leaderChanges(), std::size_t{1});
    WITHIN(guarded.share("f", 2 * kHour, 3 * kHour), 0.85, 0.96);
    const Ran biased = ranWithout("bug-leader-looked-cheaper", {.cacheNeutral = false});
    QCOMPARE(biased.leaderChanges(), std::size_t{0});
    WITHIN(biased.share("f", 2 * kHour, 3 * kHour), 0.0, 0.1);
}

/// The leader becomes slow after an hour and stays so; without traffic it has few samples.
void TstGuardingRules::slowLookedHealthy()
{
    const Ran guarded("bug-slow-looked-healthy");
    QCOMPARE(guarded.leaderChanges(), std::size_t{1});
    WITHIN(guarded.share("f", 2 * kHour, 4 * kHour), 0.85, 1.0);
    const Ran fooled = ranWithout("bug-slow-looked-healthy", {.latchedWindows = false});
    WITHIN(fooled.leaderChanges(), 3, 99);
    const auto& changes = fooled.result.leaderChanges;
    QVERIFY(std::ranges::any_of(changes, [](const LeaderChange& change) {
        return change.from == "f" && change.to == "b";
    }));
}

/// The leader carries 95 % at all times.
void TstGuardingRules::historyWipedHourly()
{
    const auto difference = [](const Ran& ran) {
        return std::abs(
            partOf(ran, "f", Part::HoursStart).ofAll() - partOf(ran, "f", Part::HoursRest).ofAll());
    };
    const Ran guarded("bug-history-wiped-hourly");
    // Tasks of five calls stay together: that widens the interval of the calls by sqrt(5).
    const double sigma = std::sqrt(5 * 0.05 * 0.95 / partOf(guarded, "f", Part::HoursStart).all);
    const double most = std::max(0.006, 2.58 * sigma);
    WITHIN(difference(guarded), 0.0, most);
    QVERIFY(most < 0.02);
    const Ran wiped = ranWithout("bug-history-wiped-hourly", {.keepsHistory = false});
    WITHIN(difference(wiped), 0.2, 1.0);
}

QTEST_APPLESS_MAIN(TstGuardingRules)
#include "tst_guarding_rules.moc"
