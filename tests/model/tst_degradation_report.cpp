// SPDX-License-Identifier: Apache-2.0
#include "common/model/degradation_report.h"
#include "common/model/degradation_report_json.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace weir;

/// The report after an incident, as people and scripts read it.
class TstDegradationReport : public QObject
{
    Q_OBJECT

private slots:
    void modeIsTheWorstLevelThatCounts_data();
    void modeIsTheWorstLevelThatCounts();
    void tellsEverythingInJson();
    void tellsEverythingAsText();
    void nothingIsNoDivision();
};

namespace {

/// 10:00 to 10:30: five minutes of L1, the rest L0.
DegradationReport sample()
{
    DegradationReport report;
    report.fromMs = 1'767'261'600'000;
    report.toMs = report.fromMs + 30LL * 60'000;
    report.requests = 20'000;
    report.shed = 1'000;
    report.levels[0] = {16'000, 1500, {{900}, {2100}}};
    report.levels[1] = {2'999, 300, {{1100}, {2800}}};
    report.levels[4] = {1, 0, {}};
    report.tasks.push_back({"support", false, 18'000, 0, {16'000, 1'999, 0, 0, 1}});
    report.tasks.push_back({"summaries", true, 2'000, 1'000, {0, 1'000, 0, 0, 0}});
    report.firstOutput = {{930}, {2200}};
    return report;
}

} // namespace

void TstDegradationReport::modeIsTheWorstLevelThatCounts_data()
{
    QTest::addColumn<QList<int>>("requests");
    QTest::addColumn<int>("mode");
    QTest::newRow("nobody asked") << QList<int>{0, 0, 0, 0, 0} << -1;
    QTest::newRow("all at their best") << QList<int>{100, 0, 0, 0, 0} << 0;
    QTest::newRow("one in a hundred") << QList<int>{99, 1, 0, 0, 0} << 1;
    QTest::newRow("one in a hundred and one") << QList<int>{100, 1, 0, 0, 0} << 0;
    QTest::newRow("a few failures among many") << QList<int>{0, 0, 990, 0, 9} << 2;
    QTest::newRow("worse ones count for better ones") << QList<int>{990, 0, 0, 5, 5} << 3;
    QTest::newRow("all failed") << QList<int>{0, 0, 0, 0, 1} << 4;
}

void TstDegradationReport::modeIsTheWorstLevelThatCounts()
{
    QFETCH(const QList<int>, requests);
    LevelCounts counts{};
    for (std::size_t level = 0; level < kLevelCount; ++level)
        counts[level] = static_cast<std::uint64_t>(requests[static_cast<int>(level)]);
    QTEST(modeOf(counts).value_or(-1), "mode");
}

void TstDegradationReport::tellsEverythingInJson()
{
    const auto json = toJson(sample());
    const auto expected = nlohmann::ordered_json::parse(R"({
      "from": "2026-01-01T10:00:00.000Z", "to": "2026-01-01T10:30:00.000Z",
      "requests": 20000, "shed": 1000,
      "levels": {
        "L0": {"requests": 16000, "share": 0.8, "time_s": 1500, "ttft_s": {"p50": 0.9, "p95": 2.1}},
        "L1": {"requests": 2999, "share": 0.14995, "time_s": 300,
               "ttft_s": {"p50": 1.1, "p95": 2.8}},
        "L2": {"requests": 0, "share": 0.0, "time_s": 0, "ttft_s": {"p50": null, "p95": null}},
        "L3": {"requests": 0, "share": 0.0, "time_s": 0, "ttft_s": {"p50": null, "p95": null}},
        "L4": {"requests": 1, "share": 0.00005, "time_s": 0, "ttft_s": {"p50": null, "p95": null}}},
      "tasks": [
        {"task_type": "support", "priority": "interactive", "requests": 18000, "failures": 1,
         "shed": 0, "levels": {"L0": 16000, "L1": 1999, "L2": 0, "L3": 0, "L4": 1}},
        {"task_type": "summaries", "priority": "batch", "requests": 2000, "failures": 0,
         "shed": 1000, "levels": {"L0": 0, "L1": 1000, "L2": 0, "L3": 0, "L4": 0}}],
      "residency_violations": 0, "ttft_s": {"p50": 0.93, "p95": 2.2}})");
    QCOMPARE(json.dump(1), expected.dump(1));
}

void TstDegradationReport::tellsEverythingAsText()
{
    const std::vector<std::string> expected{
        "2026-01-01T10:00:00.000Z to 2026-01-01T10:30:00.000Z",
        "",
        "level         requests     share        time    ttft p50       p95",
        "L0              16,000    80.0 %    00:25:00      0.90 s    2.10 s",
        "L1               2,999    15.0 %    00:05:00      1.10 s    2.80 s",
        "L2                   0     0.0 %    00:00:00           -         -",
        "L3                   0     0.0 %    00:00:00           -         -",
        "L4                   1    <0.1 %    00:00:00           -         -",
        "deferred         1,000     5.0 %",
        "all             20,000   100.0 %                  0.93 s    2.20 s",
        "",
        "task type                 priority        requests  failures  deferred",
        "support                   interactive       18,000         1         0",
        "summaries                 batch              2,000         0     1,000",
        "",
        "residency violations: 0",
    };
    const std::vector<std::string> lines = textOf(sample());
    for (std::size_t i = 0; i < std::min(lines.size(), expected.size()); ++i)
        QCOMPARE(lines[i], expected[i]);
    QCOMPARE(lines.size(), expected.size());
}

void TstDegradationReport::nothingIsNoDivision()
{
    const DegradationReport empty;
    QCOMPARE(empty.shareOf(0), 0.0);
    QVERIFY(!textOf(empty).empty());
    QCOMPARE(toJson(empty)["tasks"].size(), std::size_t{0});
}

QTEST_APPLESS_MAIN(TstDegradationReport)
#include "tst_degradation_report.moc"
