// SPDX-License-Identifier: Apache-2.0
#include "common/routing/drill_coin.h"
#include "common/routing/drill_tally.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr UtcTime kStart = fromEpochMs(1'796'032'800'000);
constexpr seconds kLength{60};

Drill sampleDrill()
{
    Drill drill;
    drill.id = "d";
    drill.model = "m";
    drill.provider = "a";
    drill.startsAt = kStart;
    drill.endsAt = kStart + kLength;
    drill.endedAt = drill.endsAt;
    drill.endReason = "time";
    return drill;
}

CallRecord attempt(
    const std::string& request,
    int number,
    const char* provider,
    milliseconds after,
    Outcome outcome)
{
    CallRecord record;
    record.requestId = request;
    record.attempt = number;
    record.model = "m";
    record.taskType = "default";
    record.provider = provider;
    record.startedAt = kStart + after;
    record.outcome = outcome;
    record.costMicroUsd = isSuccess(outcome) ? 100 : 0;
    if (isSuccess(outcome)) record.ttftMs = 500;
    return record;
}

std::int64_t nowMs()
{
    return epochMs(kStart + 10 * kLength);
}

/// One request every half second over all three windows, at `a` but for [awayFrom, awayTo).
void addTraffic(DrillTally& tally, milliseconds awayFrom, milliseconds awayTo)
{
    for (milliseconds at = -kLength; at < 2 * kLength; at += milliseconds{500}) {
        const bool away = at >= awayFrom && at < awayTo;
        tally.add(attempt("r" + std::to_string(at.count()), 1, away ? "b" : "a", at, Outcome::Ok));
    }
}

} // namespace

/// From the rows of the ledger to the report of a drill.
class TestDrillTally : public QObject
{
    Q_OBJECT

private slots:

    void whatMovedAndWhen()
    {
        DrillTally tally(sampleDrill(), nowMs());
        QCOMPARE(tally.fromMs(), epochMs(kStart - kLength));
        QCOMPARE(tally.toMs(), epochMs(kStart + 2 * kLength));
        addTraffic(tally, milliseconds{3000}, kLength + milliseconds{6000});
        const DrillReport report = tally.report({});
        QCOMPARE(report.before.providers, (std::map<std::string, std::uint64_t>{{"a", 120}}));
        QCOMPARE(report.during.providers.at("a"), std::uint64_t{6});
        QCOMPARE(report.during.providers.at("b"), std::uint64_t{114});
        QCOMPARE(report.after.providers.at("b"), std::uint64_t{12});
        // The last one on the route began half a second before the first elsewhere.
        QCOMPARE(report.leftMs, std::optional<std::int64_t>{2500});
        QCOMPARE(report.backMs, std::optional<std::int64_t>{6000});
        QCOMPARE(report.during.costPerRequest(), std::optional<std::int64_t>{100});
    }

    void trafficThatStaysDoesNotLeave()
    {
        DrillTally tally(sampleDrill(), nowMs());
        addTraffic(tally, milliseconds{0}, milliseconds{0});
        const DrillReport report = tally.report({});
        QVERIFY(!report.leftMs);
        QCOMPARE(report.backMs, std::optional<std::int64_t>{0});
    }

    void withoutTrafficBeforeNothingIsSaid()
    {
        DrillTally tally(sampleDrill(), nowMs());
        tally.add(attempt("r", 1, "a", seconds{70}, Outcome::Ok));
        const DrillReport report = tally.report({});
        QVERIFY(!report.leftMs);
        QVERIFY(!report.backMs);
        QVERIFY(!report.before.costPerRequest());
        QCOMPARE(report.after.ladder.requests, std::uint64_t{1});
    }

    /// A request counts once, by its last attempt, where it began; its rows come in any order.
    void requestsNotAttempts()
    {
        DrillTally tally(sampleDrill(), nowMs());
        tally.add(attempt("moved", 2, "b", seconds{61}, Outcome::Ok));
        tally.add(attempt("moved", 1, "a", seconds{59}, Outcome::RateLimited));
        tally.add(attempt("failed", 1, "a", seconds{10}, Outcome::ServerError));
        tally.add(attempt("failed", 2, "b", seconds{11}, Outcome::ServerError));
        tally.add(attempt("again", 1, "a", seconds{12}, Outcome::Reset));
        tally.add(attempt("again", 2, "a", seconds{13}, Outcome::Ok));
        tally.add(attempt("mistake", 1, "a", seconds{14}, Outcome::BadRequest));
        const DrillReport report = tally.report({4, 1, 4, 0});
        QCOMPARE(report.during.ladder.requests, std::uint64_t{4});
        QCOMPARE(report.during.failures(), std::uint64_t{1});
        QCOMPARE(report.during.failovers, std::uint64_t{2});
        QCOMPARE(report.during.providers.at("b"), std::uint64_t{2});
        QCOMPARE(report.after.ladder.requests, std::uint64_t{0});
        // Two seconds lost on the way, as its caller saw it.
        const auto p95 = report.during.ladder.firstOutput.p95Ms;
        QVERIFY(p95 && std::abs(static_cast<double>(*p95) - 2500.0) < 25.0);
        QCOMPARE(report.counts.touched, std::int64_t{4});
    }

    void othersRequestsDoNotCount()
    {
        DrillTally tally(sampleDrill(), nowMs());
        CallRecord other = attempt("other", 1, "a", seconds{1}, Outcome::Ok);
        other.model = "n";
        tally.add(other);
        CallRecord mirror = attempt("mirror", 1, "a", seconds{1}, Outcome::Ok);
        mirror.flags = static_cast<std::uint16_t>(CallFlag::Mirror);
        tally.add(mirror);
        // Begun before the first window: its first attempt is not among the rows.
        tally.add(attempt("cut", 2, "a", -kLength, Outcome::Ok));
        CallRecord below = attempt("below", 2, "a", seconds{3}, Outcome::Ok);
        below.model = "n";
        below.level = 1;
        tally.add(attempt("below", 1, "a", seconds{2}, Outcome::ServerError));
        tally.add(below);
        const DrillReport report = tally.report({});
        QCOMPARE(report.before.ladder.requests, std::uint64_t{0});
        QCOMPARE(report.during.ladder.requests, std::uint64_t{1});
        QCOMPARE(report.during.ladder.levels[1].requests, std::uint64_t{1});
        QCOMPARE(report.during.providers, (std::map<std::string, std::uint64_t>{{"n/a", 1}}));
    }

    /// A drill under way has a window as long as it is old.
    void underWay()
    {
        Drill drill = sampleDrill();
        drill.endedAt.reset();
        const DrillTally tally(drill, epochMs(kStart + seconds{10}));
        QCOMPARE(tally.fromMs(), epochMs(kStart - seconds{10}));
        QCOMPARE(tally.toMs(), epochMs(kStart + seconds{10}));
    }

    void coinHitsItsShare_data()
    {
        QTest::addColumn<int>("sharePpm");
        QTest::newRow("none") << 0;
        QTest::newRow("a little") << 10'000;
        QTest::newRow("a third") << 300'000;
        QTest::newRow("all") << 1'000'000;
    }

    void coinHitsItsShare()
    {
        QFETCH(int, sharePpm);
        constexpr int kDraws = 20'000;
        int hits = 0;
        int both = 0;
        for (int i = 0; i < kDraws; ++i) {
            const std::string id = "request-" + std::to_string(i);
            const bool hit = drillHits("d1", id, sharePpm);
            QCOMPARE(drillHits("d1", id, sharePpm), hit);
            hits += hit ? 1 : 0;
            both += hit && drillHits("d2", id, sharePpm) ? 1 : 0;
        }
        const double share = sharePpm / 1e6;
        QVERIFY(std::abs(hits / double{kDraws} - share) < 0.015);
        // Another drill takes others.
        QVERIFY(std::abs(both / double{kDraws} - share * share) < 0.015);
    }
};

QTEST_APPLESS_MAIN(TestDrillTally)
#include "tst_drill_tally.moc"
