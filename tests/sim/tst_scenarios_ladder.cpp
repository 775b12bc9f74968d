// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/ran.h"
#include "tests/sim/within.h"

#include <QTest>

#include <algorithm>

using namespace weir;
using namespace weir::sim;

namespace {

constexpr double kMinuteS = 60.0;

/// What became of a task type's requests within [fromS, toS).
LadderTask taskOf(const Ran& ran, std::string_view type, double fromS, double toS)
{
    LadderTask sum;
    for (const routing::LadderMinute& minute : ran.result.degradation->minutes) {
        const auto at = static_cast<double>(minute.startMs - ran.scenario.startEpochMs) / 1e3;
        if (at < fromS || at >= toS) continue;
        for (const LadderTask& task : minute.tasks) {
            if (task.taskType != type) continue;
            sum.requests += task.requests;
            sum.shed += task.shed;
            for (std::size_t level = 0; level < kLevelCount; ++level)
                sum.levels[level] += task.levels[level];
        }
    }
    return sum;
}

double partOf(std::uint64_t count, const LadderTask& task)
{
    return static_cast<double>(count) / static_cast<double>(task.requests);
}

BreakerState breakerAt(const Ran& ran, std::string_view provider, double minuteS)
{
    const auto found = std::ranges::find_if(ran.result.minutes, [&](const MinuteRow& row) {
        const ScenarioModel& model = ran.scenario.models[ran.result.pools[row.pool].model];
        return row.minute * 60 == static_cast<std::int64_t>(minuteS) &&
               model.routes[row.route].provider == provider;
    });
    return found == ran.result.minutes.end() ? BreakerState::Closed : found->breaker;
}

} // namespace

/// The incidents of seed document 001, played to their report.
class TstScenariosLadder : public QObject
{
    Q_OBJECT

private slots:
    void regionalIncident();
    void surge();
};

/// From 09:50: at 10:02 A's EU endpoint fails, at 10:20 B takes less than it was known to, at 10:45
/// both are well again (routing.md section 14, row 19).
void TstScenariosLadder::regionalIncident()
{
    const Ran ran("regional-incident");
    const double fails = 12 * kMinuteS;
    const double overflows = 30 * kMinuteS;
    const double heals = 55 * kMinuteS;
    const double end = 80 * kMinuteS;
    const DegradationReport& report = ran.result.degradation->report;

    QCOMPARE(report.residencyViolations, std::uint64_t{0});
    QCOMPARE(taskOf(ran, "support", 0, fails).levels[0], taskOf(ran, "support", 0, fails).requests);
    // The breaker opens within 30 seconds, so A sees less than half of a minute's calls.
    const double before = ran.counts("a-eu", fails - kMinuteS, fails).calls;
    WITHIN(ran.counts("a-eu", fails, fails + kMinuteS).calls, 1, before / 2);
    QCOMPARE(breakerAt(ran, "a-eu", fails), BreakerState::Open);
    WITHIN(ran.gate("a-eu").probesMost, 1, 3);

    // B absorbs what is interactive, the backlog waits, nobody loses.
    LadderTask absorbed = taskOf(ran, "support", fails + kMinuteS, overflows);
    // Tenants elsewhere stay with A's other endpoint.
    absorbed.requests -= absorbed.levels[0];
    WITHIN(partOf(absorbed.levels[1], absorbed), 0.95, 1.0);
    QCOMPARE(taskOf(ran, "refund-dispute", 0, overflows).failures(), std::uint64_t{0});
    QVERIFY(taskOf(ran, "ticket-summary", fails, overflows).shed > 1000);
    QCOMPARE(ran.counts("b-eu", fails, overflows).rateLimited, 0.0);

    // What B refuses goes on to the small model, which disputes do without.
    const LadderTask overflow = taskOf(ran, "support", overflows, heals);
    WITHIN(partOf(overflow.levels[2], overflow), 0.2, 1.0);
    QCOMPARE(taskOf(ran, "support", 0, end).failures(), std::uint64_t{0});
    QCOMPARE(taskOf(ran, "refund-dispute", 0, end).levels[2], std::uint64_t{0});

    // A's traffic comes back over two minutes or more.
    WITHIN(ran.counts("a-eu", heals, heals + kMinuteS).calls, 0, before / 2);
    WITHIN(ran.counts("a-eu", heals + kMinuteS, heals + 2 * kMinuteS).calls, 0, 0.9 * before);
    WITHIN(ran.counts("a-eu", heals + 5 * kMinuteS, heals + 6 * kMinuteS).calls, 0.8 * before, 1e9);
    QCOMPARE(breakerAt(ran, "a-eu", end - kMinuteS), BreakerState::Closed);
    QCOMPARE(taskOf(ran, "ticket-summary", end - 10 * kMinuteS, end).shed, std::uint64_t{0});
    WITHIN(report.levels[0].firstOutput.p95Ms.value_or(0), 1950, 2300);
    WITHIN(report.levels[1].firstOutput.p95Ms.value_or(0), 2600, 3000);
    QCOMPARE(ran.result.totals.replayMismatches, std::uint64_t{0});
}

/// 60 requests a second, of which the secondary may have 22.2: a full failover needs 2.7 times as
/// much.
void TstScenariosLadder::surge()
{
    const Ran ran("surge");
    const double fails = 600;
    const double heals = 1500;
    WITHIN(ran.counts("primary", 0, fails).all / fails, 57, 63);
    WITHIN(ran.counts("primary", fails + kMinuteS, heals).calls, 0, 0.01 * 60 * (heals - fails));
    const LadderTask chat = taskOf(ran, "chat", 0, 2400);
    QCOMPARE(chat.failures(), std::uint64_t{0});
    QCOMPARE(chat.shed, std::uint64_t{0});
    const Share secondary = ran.counts("secondary", fails, heals);
    WITHIN(secondary.calls / (heals - fails), 15, 22.2);
    WITHIN(secondary.rateLimited / secondary.calls, 0.0, 0.01);
    const LadderTask batch = taskOf(ran, "enrichment", fails, heals);
    WITHIN(partOf(batch.shed, batch), 0.3, 1.0);
    QCOMPARE(ran.result.totals.replayMismatches, std::uint64_t{0});
}

QTEST_APPLESS_MAIN(TstScenariosLadder)
#include "tst_scenarios_ladder.moc"
