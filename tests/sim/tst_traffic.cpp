// SPDX-License-Identifier: Apache-2.0
#include "common/sim/traffic.h"
#include "tests/sim/sample.h"

#include <QTest>

#include <cmath>
#include <map>
#include <set>

using namespace weir;
using namespace weir::sim;

namespace {

std::vector<TaskPlan> tasksOf(const Scenario& scenario, Micros until)
{
    Arrivals arrivals(scenario, Draws{scenario.seed}, 0, {0, until, 1.0, 0});
    std::vector<TaskPlan> tasks;
    while (const std::optional<TaskPlan> task = arrivals.next())
        tasks.push_back(*task);
    return tasks;
}

} // namespace

/// Arrivals and sizes have the distributions that the file names.
class TstTraffic : public QObject
{
    Q_OBJECT

private slots:
    void arrivalsArePoisson();
    void theDayHasAWave();
    void tasksHaveTheirShape();
    void sizesAreLogNormal();
    void endingsComeInTheirShare();
    void anotherSeedIsAnotherDay();
};

void TstTraffic::arrivalsArePoisson()
{
    const Scenario scenario = scenarioOf(sampleText());
    const std::vector<TaskPlan> tasks = tasksOf(scenario, 200'000 * kSecond);
    const double expected = 0.2 * 200'000;
    QVERIFY(std::abs(static_cast<double>(tasks.size()) - expected) < 4 * std::sqrt(expected));
    // In a Poisson process counts of equal spans have a variance of their mean.
    std::map<std::int64_t, double> spans;
    for (const TaskPlan& task : tasks)
        spans[task.at / (100 * kSecond)] += 1.0;
    double square = 0.0;
    for (std::int64_t i = 0; i < 2000; ++i)
        square += (spans[i] - 20.0) * (spans[i] - 20.0);
    QVERIFY2(std::abs(square / 2000.0 / 20.0 - 1.0) < 0.15, qPrintable(QString::number(square)));
    for (std::size_t i = 1; i < tasks.size(); ++i)
        QVERIFY(tasks[i].at >= tasks[i - 1].at);
}

void TstTraffic::theDayHasAWave()
{
    const Scenario scenario =
        scenarioOf(sampleWith(R"({"base": 0.2})", R"({"base": 2.0, "diurnal": 0.8})"));
    double morning = 0.0;
    double evening = 0.0;
    for (const TaskPlan& task : tasksOf(scenario, 86'400 * kSecond)) {
        (task.at < 43'200 * kSecond ? morning : evening) += 1.0;
    }
    // The mean of 1 + d * sin over half a wave is 1 + 2 d / pi.
    const double lift = 2.0 * 0.8 / std::acos(-1.0);
    QVERIFY(std::abs(morning / 86'400 - (1.0 + lift)) < 0.03);
    QVERIFY(std::abs(evening / 86'400 - (1.0 - lift)) < 0.03);
}

void TstTraffic::tasksHaveTheirShape()
{
    const Scenario scenario = scenarioOf(sampleText());
    std::map<std::uint32_t, double> calls;
    std::map<std::uint32_t, double> agents;
    std::set<std::uint64_t> ids;
    double singles = 0.0;
    const std::vector<TaskPlan> tasks = tasksOf(scenario, 150'000 * kSecond);
    const auto count = static_cast<double>(tasks.size());
    for (const TaskPlan& task : tasks) {
        calls[task.calls] += 1.0 / count;
        agents[task.agent] += 1.0 / count;
        ids.insert(task.id);
        if (task.singleShot) singles += 1.0 / count;
    }
    QCOMPARE(ids.size(), tasks.size());
    QCOMPARE(calls.size(), std::size_t{3});
    for (const auto& [number, share] : calls) {
        QVERIFY(number >= 4 && number <= 6);
        QVERIFY(std::abs(share - 1.0 / 3.0) < 0.015);
    }
    QCOMPARE(agents.size(), std::size_t{2});
    QVERIFY(std::abs(agents[1] - 1.0 / 2.0) < 0.015);
    QVERIFY(std::abs(singles - 0.1) < 0.01);
}

void TstTraffic::sizesAreLogNormal()
{
    const Scenario scenario = scenarioOf(sampleText());
    const Draws draws(scenario.seed);
    constexpr int kCalls = 40'000;
    double sum = 0.0;
    double square = 0.0;
    int below = 0;
    for (std::uint32_t i = 0; i < kCalls; ++i) {
        const CallPlan call = planCall(scenario, draws, TaskPlan{.id = i / 5}, i % 5);
        const double ln = std::log(static_cast<double>(call.inputTokens));
        sum += ln;
        square += ln * ln;
        if (call.outputTokens < 300) ++below;
    }
    const double mean = sum / kCalls;
    QVERIFY(std::abs(mean - std::log(12'000.0)) < 0.01);
    QVERIFY(std::abs(std::sqrt(square / kCalls - mean * mean) - 0.5) < 0.01);
    QVERIFY(std::abs(below - kCalls / 2) < 500);
}

void TstTraffic::endingsComeInTheirShare()
{
    const Scenario scenario = scenarioOf(
        sampleWith(R"("gap_s")", R"("length_share": 0.9, "abort_share": 0.05, "gap_s")"));
    const Draws draws(scenario.seed);
    int lengths = 0;
    int aborts = 0;
    for (std::uint32_t i = 0; i < 20'000; ++i) {
        const CallPlan call = planCall(scenario, draws, TaskPlan{.id = i}, 0);
        if (call.endsByLength) ++lengths;
        if (call.leavesAfter > 0.0) ++aborts;
        QVERIFY(call.leavesAfter < 1.0);
    }
    QVERIFY(std::abs(lengths - 18'000) < 200);
    QVERIFY(std::abs(aborts - 1'000) < 150);
}

void TstTraffic::anotherSeedIsAnotherDay()
{
    Scenario scenario = scenarioOf(sampleText());
    const std::vector<TaskPlan> first = tasksOf(scenario, 1000 * kSecond);
    scenario.seed = 8;
    const std::vector<TaskPlan> second = tasksOf(scenario, 1000 * kSecond);
    QVERIFY(!first.empty() && !second.empty());
    QVERIFY(first[0].at != second[0].at);
}

QTEST_APPLESS_MAIN(TstTraffic)
#include "tst_traffic.moc"
