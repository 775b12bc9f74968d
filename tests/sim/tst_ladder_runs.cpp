// SPDX-License-Identifier: Apache-2.0
#include "common/sim/result_json.h"
#include "common/sim/simulation.h"
#include "common/sim/world.h"
#include "tests/sim/sample.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <array>

using namespace weir;
using namespace weir::sim;

namespace {

std::string route(const char* provider, const char* more = "")
{
    return R"({"provider": ")" + std::string{provider} + R"(", "price": {"input": 1, "output": 2},
        "ttft_s": {"median": 1, "sigma": 0.2}, "tokens_per_s": {"median": 100})" +
           more + '}';
}

std::string model(const char* name, const std::string& routes)
{
    return R"({"name": ")" + std::string{name} + R"(", "routes": [)" + routes + "]}";
}

/// Half an hour of one task a second, each of one call.
Scenario run(const std::string& models, const std::string& streamKeys, SimPolicy policy)
{
    Scenario scenario = scenarioOf(
        R"({"seed": 5, "duration_s": 1800, "agents": 2, "models": [)" + models +
        R"(], "traffic": [{"task_type": "support", )" + streamKeys +
        R"(, "tasks_per_s": {"base": 1}, "input_tokens": {"median": 1000},
            "output_tokens": {"median": 50}}]})");
    scenario.policy = policy;
    return scenario;
}

const char* const kDead = R"(, "success": 0.0)";

/// Four steps, of which the first so many are dead.
std::string steps(std::size_t dead)
{
    constexpr std::array<const char*, 4> kNames{"large", "equal", "small", "faq"};
    std::string models;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        models += i == 0 ? "" : ", ";
        models += model(kNames[i], route(kNames[i], i < dead ? kDead : ""));
    }
    return models;
}

const char* const kLadder = R"("ladder": ["large", "equal", "small"], "answer": "faq")";

} // namespace

/// Ladders, regions and batch work in the simulator.
class TstLadderRuns : public QObject
{
    Q_OBJECT

private slots:
    void plainScenariosSayNothingNew();
    void servesAtTheFirstStepThatWorks_data();
    void servesAtTheFirstStepThatWorks();
    void nothingWorseThanAskedFor();
    void regionsAreKept_data();
    void regionsAreKept();
    void theAuditorLooksForItself();
    void termsAreKept();
    void batchGivesWay();
    void batchIsNotPutOffInTheFixedOrder();
    void theSameBytesAgain();
};

void TstLadderRuns::plainScenariosSayNothingNew()
{
    const Scenario scenario = scenarioOf(sampleText());
    const auto json = toJson(simulate(scenario), scenario);
    const auto keysOf = [](const nlohmann::ordered_json& object) {
        QStringList keys;
        for (const auto& [key, value] : object.items())
            keys << QString::fromStdString(key);
        return keys.join(' ');
    };
    QCOMPARE(keysOf(json), QString("totals minutes incidents leader_changes"));
    QCOMPARE(
        keysOf(json["totals"]),
        QString("tasks calls user_failures caller_errors dropped cost_usd cost_per_task_usd "
                "task_time_s wasted_429 replay_mismatches by_provider"));
}

void TstLadderRuns::servesAtTheFirstStepThatWorks_data()
{
    QTest::addColumn<int>("dead");
    QTest::addColumn<SimPolicy>("policy");
    for (int dead = 0; dead < 4; ++dead) {
        for (const SimPolicy policy : {SimPolicy::Adaptive, SimPolicy::Fixed, SimPolicy::Oracle}) {
            QTest::addRow("%d dead, %s", dead, std::string{toWord(policy)}.c_str())
                << dead << policy;
        }
    }
}

void TstLadderRuns::servesAtTheFirstStepThatWorks()
{
    QFETCH(const int, dead);
    QFETCH(const SimPolicy, policy);
    const Scenario scenario = run(steps(static_cast<std::size_t>(dead)), kLadder, policy);
    const SimResult result = simulate(scenario);
    const DegradationReport& report = result.degradation->report;
    QVERIFY(report.requests > 1700);
    // Routes that have never been used start slowly, and what is over their rate goes further down.
    const double least = policy == SimPolicy::Adaptive ? 0.93 : 1.0;
    QVERIFY(report.shareOf(report.levels[static_cast<std::size_t>(dead)].requests) >= least);
    for (int level = 0; level < dead; ++level)
        QCOMPARE(report.levels[static_cast<std::size_t>(level)].requests, std::uint64_t{0});
    QCOMPARE(report.levels[4].requests, std::uint64_t{0});
    QCOMPARE(result.totals.userFailures, std::uint64_t{0});
    QCOMPARE(result.totals.replayMismatches, std::uint64_t{0});
}

void TstLadderRuns::nothingWorseThanAskedFor()
{
    const Scenario scenario =
        run(steps(2), std::string{kLadder} + R"(, "lowest_level": "L1")", SimPolicy::Adaptive);
    const SimResult result = simulate(scenario);
    const DegradationReport& report = result.degradation->report;
    QCOMPARE(report.levels[4].requests, report.requests);
    QCOMPARE(result.totals.userFailures, report.requests);
    QCOMPARE(result.totals.byProvider[2].calls, std::uint64_t{0});
}

void TstLadderRuns::regionsAreKept_data()
{
    QTest::addColumn<SimPolicy>("policy");
    QTest::addColumn<QString>("more");
    for (const SimPolicy policy :
         {SimPolicy::Adaptive,
          SimPolicy::Shadow,
          SimPolicy::Fixed,
          SimPolicy::RoundRobin,
          SimPolicy::Oracle}) {
        const std::string name{toWord(policy)};
        QTest::addRow("%s, healthy", name.c_str()) << policy << "";
        QTest::addRow("%s, the legal one dead", name.c_str()) << policy << kDead;
    }
}

void TstLadderRuns::regionsAreKept()
{
    QFETCH(const SimPolicy, policy);
    QFETCH(const QString, more);
    const std::string eu = R"(, "region": "eu")" + more.toStdString();
    const std::string models = model(
        "large",
        route("a-us", R"(, "region": "us")") + ", " + route("a-eu", eu.c_str()) + ", " +
            route("nowhere"));
    const SimResult result =
        simulate(run(models, R"("model": "large", "regions": ["eu"])", policy));
    QCOMPARE(result.totals.byProvider[0].calls, std::uint64_t{0});
    QVERIFY(result.totals.byProvider[1].calls > 1700);
    QCOMPARE(result.totals.byProvider[2].calls, std::uint64_t{0});
    QCOMPARE(result.degradation->report.residencyViolations, std::uint64_t{0});
}

void TstLadderRuns::theAuditorLooksForItself()
{
    const std::string models = model(
        "large",
        route("a-us", R"(, "region": "us")") + ", " + route("a-eu", R"(, "region": "eu")"));
    const Scenario scenario = run(models, R"("model": "large")", SimPolicy::Adaptive);
    World world(scenario, Draws(1));
    const std::vector<std::string> allowed{"eu", "ch"};
    Ask ask{1, 0, 1, 100, 10, -1, &allowed};
    static_cast<void>(world.answer({0, 1}, ask, 0));
    QCOMPARE(world.residencyViolations(), std::uint64_t{0});
    static_cast<void>(world.answer({0, 0}, ask, 0));
    QCOMPARE(world.residencyViolations(), std::uint64_t{1});
    ask.regions = nullptr;
    static_cast<void>(world.answer({0, 0}, ask, 0));
    QCOMPARE(world.residencyViolations(), std::uint64_t{1});
}

void TstLadderRuns::termsAreKept()
{
    const std::string models =
        model("large", route("a") + ", " + route("b", R"(, "terms": ["no_retention", "eu_law"])"));
    const SimResult result = simulate(
        run(models, R"("model": "large", "terms": ["no_retention"])", SimPolicy::Adaptive));
    QCOMPARE(result.totals.byProvider[0].calls, std::uint64_t{0});
    QVERIFY(result.totals.byProvider[1].calls > 1700);
}

void TstLadderRuns::batchGivesWay()
{
    // Half of what is asked for has room.
    const std::string models = model("large", route("a", R"(, "capacity_rps": 0.5)"));
    const SimResult result =
        simulate(run(models, R"("model": "large", "priority": "batch")", SimPolicy::Adaptive));
    QVERIFY(result.totals.shed > 300);
    QCOMPARE(result.totals.dropped, std::uint64_t{0});
    QCOMPARE(result.degradation->report.shed, result.totals.shed);
    QVERIFY(result.degradation->report.tasks[0].batch);
    // What was put off has not been tried.
    const DegradationReport& report = result.degradation->report;
    QVERIFY(result.totals.byProvider[0].calls <= 2 * (report.requests - report.shed));
}

void TstLadderRuns::batchIsNotPutOffInTheFixedOrder()
{
    const std::string models = model("large", route("a", R"(, "capacity_rps": 0.5)"));
    const SimResult result =
        simulate(run(models, R"("model": "large", "priority": "batch")", SimPolicy::Fixed));
    QCOMPARE(result.totals.shed, std::uint64_t{0});
    QVERIFY(result.totals.userFailures > 300);
}

void TstLadderRuns::theSameBytesAgain()
{
    const Scenario scenario = run(steps(1), kLadder, SimPolicy::Adaptive);
    QCOMPARE(bytesOf(scenario), bytesOf(scenario));
}

QTEST_APPLESS_MAIN(TstLadderRuns)
#include "tst_ladder_runs.moc"
