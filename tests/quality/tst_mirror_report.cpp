// SPDX-License-Identifier: Apache-2.0
#include "common/quality/mirror_report.h"

#include <QTest>

#include <cmath>

using namespace weir;
using namespace weir::quality;

namespace {

/// One pair with the same everything, but for the grades.
MirrorComparison graded(double served, double candidate)
{
    MirrorComparison pair;
    pair.taskType = "review";
    pair.served.model = "big";
    pair.candidate.model = "small";
    pair.served.scorePpm = std::llround(served * 1e6);
    pair.candidate.scorePpm = std::llround(candidate * 1e6);
    return pair;
}

/// So many pairs whose grades differ by `mean`, half of them by `spread` more and half by less.
std::vector<MirrorComparison> pairs(int count, double mean, double spread)
{
    std::vector<MirrorComparison> all;
    for (int i = 0; i < count; ++i)
        all.push_back(graded(0.6, 0.6 + mean + (i % 2 == 0 ? spread : -spread)));
    return all;
}

MirrorReport reportOf(const std::vector<MirrorComparison>& comparisons)
{
    const auto reports = mirrorReports(comparisons, {});
    return reports.size() == 1 ? reports[0] : MirrorReport{};
}

} // namespace

class TestMirrorReport : public QObject
{
    Q_OBJECT

private slots:

    /// By hand: differences 1 2 3 4 5 have mean 3, sd 1.5811, t(0.975, 4) = 2.776: 3 ± 1.963.
    void intervalOfThePairedTTest()
    {
        const std::vector<double> five{1, 2, 3, 4, 5};
        const auto found = pairedDifference(five);
        QVERIFY(found);
        QCOMPARE(found->mean, 3.0);
        QVERIFY(std::abs(found->sd - 1.58114) < 1e-5);
        QVERIFY(std::abs(found->low - 1.0371) < 1e-3);
        QVERIFY(std::abs(found->high - 4.9629) < 1e-3);
        QVERIFY(!pairedDifference(std::vector<double>{1}));
        // t(0.975, 99) = 1.98422: differences of ±1 have sd 1.00504.
        std::vector<double> many;
        for (int i = 0; i < 100; ++i)
            many.push_back(i % 2 == 0 ? 1 : -1);
        QVERIFY(std::abs(pairedDifference(many)->high - 0.199422) < 1e-5);
    }

    void suggestsByTheScore_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("mean");
        QTest::addColumn<double>("spread");
        QTest::addColumn<MirrorAdvice>("advice");

        QTest::newRow("equal") << 40 << 0.0 << 0.05 << MirrorAdvice::Promote;
        QTest::newRow("better") << 40 << 0.2 << 0.1 << MirrorAdvice::Promote;
        QTest::newRow("a little worse, surely") << 40 << -0.03 << 0.02 << MirrorAdvice::Promote;
        QTest::newRow("equal, but too few") << 29 << 0.0 << 0.0 << MirrorAdvice::KeepComparing;
        QTest::newRow("just enough") << 30 << 0.0 << 0.0 << MirrorAdvice::Promote;
        QTest::newRow("equal, but scattered") << 40 << 0.0 << 0.35 << MirrorAdvice::KeepComparing;
        QTest::newRow("worse, but scattered") << 40 << -0.1 << 0.35 << MirrorAdvice::KeepComparing;
        QTest::newRow("inside the margin") << 40 << -0.049 << 0.0 << MirrorAdvice::Promote;
        QTest::newRow("beyond the margin") << 40 << -0.051 << 0.0 << MirrorAdvice::LeaveOut;
        QTest::newRow("worse") << 40 << -0.2 << 0.1 << MirrorAdvice::LeaveOut;
        QTest::newRow("worse, but too few") << 20 << -0.2 << 0.1 << MirrorAdvice::KeepComparing;
    }

    void suggestsByTheScore()
    {
        QFETCH(int, count);
        QFETCH(double, mean);
        QFETCH(double, spread);
        QFETCH(MirrorAdvice, advice);
        const MirrorReport report = reportOf(pairs(count, mean, spread));
        QCOMPARE(report.score.n, std::int64_t{count});
        QCOMPARE(report.advice, advice);
        QCOMPARE(report.needed.has_value(), advice == MirrorAdvice::KeepComparing);
        QVERIFY(!report.reason.empty());
    }

    /// The number that is named settles it, if the pairs to come are like those that came.
    void needsAboutAsManyAsItSays()
    {
        const MirrorReport report = reportOf(pairs(40, 0.0, 0.35));
        QVERIFY(report.needed && *report.needed > 100 && *report.needed < 200);
        const auto enough = static_cast<int>(40 + *report.needed * 11 / 10);
        QCOMPARE(reportOf(pairs(enough, 0.0, 0.35)).advice, MirrorAdvice::Promote);
    }

    void equalGradesDoNotOutweighWhatElseIsWorse_data()
    {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<int>("of100");
        QTest::addColumn<MirrorAdvice>("advice");

        QTest::newRow("schema kept") << "schema" << 0 << MirrorAdvice::Promote;
        QTest::newRow("schema, within the margin") << "schema" << 2 << MirrorAdvice::Promote;
        QTest::newRow("schema, perhaps chance") << "schema" << 4 << MirrorAdvice::KeepComparing;
        QTest::newRow("schema broken") << "schema" << 20 << MirrorAdvice::LeaveOut;
        QTest::newRow("refuses, within the margin") << "refusal" << 2 << MirrorAdvice::Promote;
        QTest::newRow("refuses, perhaps chance") << "refusal" << 4 << MirrorAdvice::KeepComparing;
        QTest::newRow("refuses") << "refusal" << 20 << MirrorAdvice::LeaveOut;
        QTest::newRow("fails seldom") << "failure" << 5 << MirrorAdvice::Promote;
        QTest::newRow("fails, perhaps chance") << "failure" << 8 << MirrorAdvice::KeepComparing;
        QTest::newRow("fails") << "failure" << 20 << MirrorAdvice::LeaveOut;
    }

    void equalGradesDoNotOutweighWhatElseIsWorse()
    {
        QFETCH(QString, fault);
        QFETCH(int, of100);
        QFETCH(MirrorAdvice, advice);
        auto all = pairs(100, 0.0, 0.05);
        for (int i = 0; i < 100; ++i) {
            MirrorComparison& pair = all[static_cast<std::size_t>(i)];
            const bool isStruck = i < of100;
            if (fault == "schema") {
                pair.served.schemaValid = true;
                pair.candidate.schemaValid = !isStruck;
            } else if (fault == "refusal") {
                pair.candidate.refused = isStruck;
            } else if (isStruck) {
                pair.candidate.outcome = Outcome::ServerError;
                pair.candidate.scorePpm.reset();
                pair.served.scorePpm.reset();
            }
        }
        QCOMPARE(reportOf(all).advice, advice);
    }

    /// A candidate that always fails is left out though nothing of it could be graded.
    void nothingButFailures()
    {
        auto all = pairs(30, 0.0, 0.0);
        for (MirrorComparison& pair : all) {
            pair.candidate.outcome = Outcome::TtftTimeout;
            pair.candidate.scorePpm.reset();
            pair.served.scorePpm.reset();
        }
        const MirrorReport report = reportOf(all);
        QCOMPARE(report.failures, 30);
        QCOMPARE(report.advice, MirrorAdvice::LeaveOut);
    }

    void withoutAGraderNothingIsPromoted()
    {
        auto all = pairs(500, 0.0, 0.0);
        for (MirrorComparison& pair : all) {
            pair.served.scorePpm.reset();
            pair.candidate.scorePpm.reset();
        }
        const MirrorReport report = reportOf(all);
        QCOMPARE(report.advice, MirrorAdvice::KeepComparing);
        QVERIFY(!report.needed);
        QVERIFY(report.reason.find("grader") != std::string::npos);
    }

    void ratiosOfWhatIsKnownOfBoth()
    {
        auto all = pairs(2, 0.0, 0.0);
        for (MirrorComparison& pair : all) {
            pair.served.costMicroUsd = 300;
            pair.candidate.costMicroUsd = 100;
            pair.served.ttftMs = 200;
            pair.candidate.ttftMs = 100;
            pair.served.outputTokens = pair.candidate.outputTokens = 20;
            pair.served.durationMs = 1200;
            pair.candidate.durationMs = 600;
        }
        all[1].candidate.costMicroUsd.reset();
        all[1].candidate.outputTokens = 15;
        const MirrorReport report = reportOf(all);
        QVERIFY(std::abs(report.costRatio.value() - 1.0 / 3) < 1e-9);
        QVERIFY(std::abs(report.ttftRatio.value() - 0.5) < 1e-9);
        QVERIFY(std::abs(report.speedRatio.value() - 2.0) < 1e-9);
    }

    void oneReportForEachTaskAndCandidate()
    {
        auto all = pairs(3, 0.0, 0.0);
        all[0].taskType = "summary";
        all[1].candidate.model = "other";
        all[2].served.model = "bigger";
        const auto reports = mirrorReports(all, {});
        QCOMPARE(reports.size(), 3U);
        QCOMPARE(reports[1].taskType, std::string{"review"});
        QCOMPARE(reports[1].candidate, std::string{"small"});
        QVERIFY(reports[1].served == std::set<std::string>{"bigger"});
        QVERIFY(mirrorReports({}, {}).empty());
    }
};

QTEST_APPLESS_MAIN(TestMirrorReport)
#include "tst_mirror_report.moc"
