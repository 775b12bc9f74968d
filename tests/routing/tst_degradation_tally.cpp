// SPDX-License-Identifier: Apache-2.0
#include "common/routing/degradation_tally.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;

namespace {

constexpr std::int64_t kFrom = 1'767'261'613'000;

LadderFact served(std::int64_t afterMs, int level, std::int64_t ttftMs = 800)
{
    return {kFrom + afterMs, "support", false, RequestEnd::Served, level, ttftMs};
}

} // namespace

/// From requests to the report after an incident.
class TstDegradationTally : public QObject
{
    Q_OBJECT

private slots:
    void sharesAndTimes();
    void whatFailedIsTheLastLevel();
    void batchMakesNoMode();
    void onlyTheSpanCounts();
    void theLastMinuteMayBeShort();
};

void TstDegradationTally::sharesAndTimes()
{
    DegradationTally tally(kFrom, kFrom + 4 * 60'000);
    for (int i = 0; i < 60; ++i)
        tally.count(served(i * 1000, 0, 1000));
    for (int i = 60; i < 80; ++i)
        tally.count(served(i * 1000, i < 70 ? 1 : 2, i < 70 ? 2000 : 4000));
    const DegradationReport report = tally.report();
    QCOMPARE(report.requests, std::uint64_t{80});
    QCOMPARE(report.levels[0].requests, std::uint64_t{60});
    QCOMPARE(report.shareOf(report.levels[1].requests), 0.125);
    // The second minute is one of L2, as that is its worst; in the others nobody asked.
    QCOMPARE(report.levels[0].seconds, std::int64_t{60});
    QCOMPARE(report.levels[1].seconds, std::int64_t{0});
    QCOMPARE(report.levels[2].seconds, std::int64_t{60});
    const auto isNear = [](std::optional<std::int64_t> ms, double wanted) {
        return ms && std::abs(static_cast<double>(*ms) - wanted) <= 0.01 * wanted;
    };
    QVERIFY(isNear(report.firstOutput.p50Ms, 1000));
    QVERIFY(isNear(report.firstOutput.p95Ms, 4000));
    QVERIFY(isNear(report.levels[1].firstOutput.p95Ms, 2000));
    QVERIFY(!report.levels[3].firstOutput.p50Ms);
    const std::vector<LadderMinute> minutes = tally.minutes();
    QCOMPARE(minutes.size(), std::size_t{2});
    QCOMPARE(minutes[1].startMs, kFrom + 60'000);
    QCOMPARE(minutes[1].mode(), std::optional{2});
}

void TstDegradationTally::whatFailedIsTheLastLevel()
{
    DegradationTally tally(kFrom, kFrom + 60'000);
    LadderFact fact = served(0, 1);
    fact.end = RequestEnd::Failed;
    tally.count(fact);
    const DegradationReport report = tally.report();
    QCOMPARE(report.tasks[0].failures(), std::uint64_t{1});
    QCOMPARE(report.levels[4].requests, std::uint64_t{1});
    QCOMPARE(report.levels[4].seconds, std::int64_t{60});
    QVERIFY(!report.firstOutput.p50Ms);
}

void TstDegradationTally::batchMakesNoMode()
{
    DegradationTally tally(kFrom, kFrom + 60'000);
    tally.count({kFrom, "summaries", true, RequestEnd::Served, 2, 900});
    tally.count({kFrom, "summaries", true, RequestEnd::Shed, 0, {}});
    tally.count({kFrom, "summaries", false, RequestEnd::Served, 1, 900});
    tally.count(served(10, 0));
    tally.residencyViolated();
    const DegradationReport report = tally.report();
    QCOMPARE(report.levels[1].seconds, std::int64_t{60});
    QCOMPARE(report.shed, std::uint64_t{1});
    QCOMPARE(report.requests, std::uint64_t{4});
    QCOMPARE(report.residencyViolations, std::uint64_t{1});
    QCOMPARE(report.tasks.size(), std::size_t{3});
    QVERIFY(!report.tasks[0].batch);
    QVERIFY(report.tasks[1].batch);
    QCOMPARE(report.tasks[1].shed, std::uint64_t{1});
    QCOMPARE(report.tasks[2].taskType, std::string{"support"});
}

void TstDegradationTally::onlyTheSpanCounts()
{
    DegradationTally tally(kFrom, kFrom + 60'000);
    tally.count(served(-1, 0));
    tally.count(served(0, 0));
    tally.count(served(59'999, 0));
    tally.count(served(60'000, 0));
    QCOMPARE(tally.report().requests, std::uint64_t{2});
}

void TstDegradationTally::theLastMinuteMayBeShort()
{
    DegradationTally tally(kFrom, kFrom + 90'000);
    tally.count(served(0, 0));
    tally.count(served(80'000, 0));
    QCOMPARE(tally.report().levels[0].seconds, std::int64_t{90});
}

QTEST_APPLESS_MAIN(TstDegradationTally)
#include "tst_degradation_tally.moc"
