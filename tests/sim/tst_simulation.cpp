// SPDX-License-Identifier: Apache-2.0
#include "common/sim/result_json.h"
#include "common/sim/simulation.h"
#include "tests/sim/sample.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <cmath>

using namespace weir;
using namespace weir::sim;

namespace {

constexpr std::array kPolicies = {
    SimPolicy::Adaptive,
    SimPolicy::Shadow,
    SimPolicy::Fixed,
    SimPolicy::RoundRobin,
    SimPolicy::Oracle};

std::string eventText(const std::string& events)
{
    return sampleWith(R"("events": [])", R"("events": [)" + events + "]");
}

SimResult run(const std::string& text, SimPolicy policy)
{
    Scenario scenario = scenarioOf(text);
    scenario.policy = policy;
    return simulate(scenario);
}

const ProviderTotals& totalsOf(const SimResult& result, std::string_view provider)
{
    return *std::ranges::find(result.totals.byProvider, provider, &ProviderTotals::provider);
}

} // namespace

/// A whole run: what goes in comes out, whatever the policy, and twice the same.
class TstSimulation : public QObject
{
    Q_OBJECT

private slots:
    void sameFileAndSeedSameBytes();
    void trafficDoesNotDependOnThePolicy();
    void everythingAddsUp();
    void rowsForEveryMinuteRouteAndTaskType();
    void aRouteIsUnknownBeforeItsTime();
    void costIsTokensTimesPrice();
    void fixedFailsOver();
    void roundRobinGoesByTask();
    void theOracleIsTheBound();
    void singleShotsDoNotFailOver();
    void theCallersOwnFaultIsNotTheProviders();
    void nothingWaitsLongerThanItsDeadline();
    void clientsLeaveAndAnswersEndByLength();
    void outputHasTheContractsKeys();
    void survivesRedisRestartsAndAStoppedJob();
    void troubleIsAnIncident();
    void historyIsKnownAtTheStart();
};

void TstSimulation::sameFileAndSeedSameBytes()
{
    Scenario scenario = scenarioOf(eventText(
        R"({"at_s": 900, "provider": "b", "burst_429_s": 60},
           {"at_s": 1800, "provider": "b", "set": {"success": 0.5}})"));
    for (const SimPolicy policy : {SimPolicy::Adaptive, SimPolicy::RoundRobin}) {
        scenario.policy = policy;
        const std::string first = bytesOf(scenario);
        QVERIFY(first == bytesOf(scenario));
        QVERIFY(first.size() > 10'000);
    }
    const std::string first = bytesOf(scenario);
    ++scenario.seed;
    QVERIFY(first != bytesOf(scenario));
}

void TstSimulation::trafficDoesNotDependOnThePolicy()
{
    const std::string text = eventText(
        R"({"at_s": 600, "provider": "b", "set": {"success": 0.5, "capacity_rps": 0.5}})");
    const SimResult fixed = run(text, SimPolicy::Fixed);
    for (const SimPolicy policy : kPolicies) {
        const SimResult other = run(text, policy);
        QCOMPARE(other.totals.tasks, fixed.totals.tasks);
        QCOMPARE(other.totals.calls, fixed.totals.calls);
    }
    QVERIFY(std::abs(static_cast<double>(fixed.totals.tasks) - 720.0) < 110.0);
}

void TstSimulation::everythingAddsUp()
{
    const std::string text = eventText(
        R"({"at_s": 600, "provider": "b", "set": {"success": 0.7}},
           {"at_s": 1200, "provider": "b", "burst_429_s": 300},
           {"at_s": 2000, "provider": "f", "set": {"capacity_rps": 0.5}})");
    for (const SimPolicy policy : kPolicies) {
        const SimResult result = run(text, policy);
        std::uint64_t attempts = 0;
        std::uint64_t limited = 0;
        double share = 0.0;
        for (const ProviderTotals& provider : result.totals.byProvider) {
            attempts += provider.calls;
            limited += provider.rateLimited;
            share += provider.share;
            std::uint64_t calls = 0;
            std::uint64_t failures = 0;
            for (const MinuteRow& row : result.minutes) {
                if (result.totals.byProvider[row.route].provider != provider.provider) continue;
                calls += row.calls;
                failures += row.failures;
            }
            // Tasks that began before the end are served to theirs, after the last row.
            QVERIFY(calls <= provider.calls && calls + 120 > provider.calls);
            QVERIFY(failures <= provider.failures);
        }
        QCOMPARE(result.totals.wasted429, limited);
        QVERIFY(std::abs(share - 1.0) < 1e-9);
        QVERIFY(attempts >= result.totals.calls);
        QVERIFY(result.totals.wasted429 > 0 || policy == SimPolicy::Oracle);
        QCOMPARE(result.totals.replayMismatches, std::uint64_t{0});
        for (const MinuteRow& row : result.minutes) {
            QVERIFY(row.failures + row.rateLimited <= row.calls);
            QVERIFY(row.explored <= row.calls);
            QVERIFY(row.permittedMilliRps > 0);
        }
    }
}

void TstSimulation::rowsForEveryMinuteRouteAndTaskType()
{
    std::string text = sampleWith(R"("duration_s": 3600)", R"("duration_s": 630)");
    const std::string second =
        R"(}, {"task_type": "rare", "model": "glm", "tasks_per_s": {"base": 0.001},
          "input_tokens": {"median": 100}, "output_tokens": {"median": 10}}],
          "events")";
    text.replace(text.find("}],\n  \"events\""), 14, second);
    const SimResult result = run(text, SimPolicy::Adaptive);
    QCOMPARE(result.minutes.size(), std::size_t{10 * 2 * 2});
    int zeros = 0;
    for (const MinuteRow& row : result.minutes) {
        if (row.calls == 0) ++zeros;
        QCOMPARE(row.rank == 0, row.minute < 5);
    }
    QVERIFY(zeros >= 16);
}

void TstSimulation::aRouteIsUnknownBeforeItsTime()
{
    const std::string text =
        sampleWith(R"({"provider": "f",)", R"({"provider": "f", "enabled_from_s": 1800,)");
    for (const SimPolicy policy : kPolicies) {
        const SimResult result = run(text, policy);
        for (const MinuteRow& row : result.minutes)
            QVERIFY(row.route == 0 || row.minute >= 30);
        QCOMPARE(result.minutes.size(), std::size_t{60 + 30});
        const bool used = policy == SimPolicy::Adaptive || policy == SimPolicy::RoundRobin;
        QCOMPARE(totalsOf(result, "f").calls > 0, used);
    }
}

void TstSimulation::costIsTokensTimesPrice()
{
    std::string text = sampleWith(R"("hit_warm": 0.9)", R"("hit_warm": 0.0)");
    Scenario scenario = scenarioOf(text);
    for (LogNormal* size : {&scenario.traffic[0].inputTokens, &scenario.traffic[0].outputTokens}) {
        size->sigma = 0.0;
    }
    const SimResult cold = simulate(scenario);
    // 12,000 * 0.6 + 300 * 2.2 micro-dollars a call.
    QCOMPARE(cold.totals.costMicroUsd, static_cast<std::int64_t>(cold.totals.calls) * 7'860);
    scenario.models[0].routes[0].shape.cache.hitWarm = 0.9;
    const SimResult warm = simulate(scenario);
    // Four of five calls read 90 % at 0.11; a first call some of what is shared.
    const double perCall =
        static_cast<double>(warm.totals.costMicroUsd) / static_cast<double>(warm.totals.calls);
    QVERIFY2(perCall > 2'900 && perCall < 3'700, qPrintable(QString::number(perCall)));
}

void TstSimulation::fixedFailsOver()
{
    const SimResult calm = run(sampleText(), SimPolicy::Fixed);
    QCOMPARE(totalsOf(calm, "f").calls, std::uint64_t{0});
    QCOMPARE(calm.totals.userFailures, std::uint64_t{0});
    const std::string text =
        eventText(R"({"at_s": 1200, "provider": "b", "set": {"success": 0.0}})");
    const Scenario scenario = scenarioOf(text);
    const SimResult broken = run(text, SimPolicy::Fixed);
    QCOMPARE(broken.totals.userFailures, broken.totals.singleShotFailures);
    // Once the breaker is open only probes go there.
    const Share b = shareOf(broken, scenario, "b", 1320, 3600);
    QVERIFY2(b.ofAll() < 0.06, qPrintable(QString::number(b.ofAll())));
    QVERIFY(broken.gates[0][0].breakerOpened >= 1);
}

void TstSimulation::roundRobinGoesByTask()
{
    const SimResult result = run(sampleText(), SimPolicy::RoundRobin);
    QVERIFY(std::abs(totalsOf(result, "b").share - 0.5) < 0.01);
    QCOMPARE(result.totals.userFailures, std::uint64_t{0});
}

void TstSimulation::theOracleIsTheBound()
{
    const std::string text = eventText(
        R"({"at_s": 600, "provider": "b", "set": {"success": 0.5}},
           {"at_s": 1200, "provider": "b", "set": {"success": 1.0, "ttft_s": {"median": 30}}},
           {"at_s": 1800, "provider": "b", "set": {"ttft_s": {"median": 2}, "capacity_rps": 0.5}})");
    const SimResult best = run(text, SimPolicy::Oracle);
    QCOMPARE(best.totals.userFailures, std::uint64_t{0});
    QCOMPARE(best.totals.wasted429, std::uint64_t{0});
    for (const SimPolicy policy : kPolicies) {
        const SimResult other = run(text, policy);
        QVERIFY(best.totals.userFailures <= other.totals.userFailures);
        QVERIFY(best.totals.taskTimeP95 <= other.totals.taskTimeP95);
    }
}

void TstSimulation::singleShotsDoNotFailOver()
{
    const std::string broken =
        eventText(R"({"at_s": 1200, "provider": "b", "set": {"success": 0.0}})");
    std::string text = broken;
    text.replace(text.find(R"("single_shot_share": 0.1)"), 24, R"("single_shot_share": 1.0)");
    const SimResult result = run(text, SimPolicy::Adaptive);
    std::uint64_t attempts = 0;
    for (const ProviderTotals& provider : result.totals.byProvider)
        attempts += provider.calls;
    QCOMPARE(attempts, result.totals.calls);
    QCOMPARE(result.totals.userFailures, result.totals.singleShotFailures);
    for (const MinuteRow& row : result.minutes)
        QCOMPARE(row.explored, 0U);
}

void TstSimulation::theCallersOwnFaultIsNotTheProviders()
{
    const SimResult result =
        run(eventText(R"({"at_s": 1200, "provider": "b", "set": {"status": 413}})"),
            SimPolicy::Adaptive);
    QVERIFY(result.totals.callerErrors > 400);
    QCOMPARE(result.totals.userFailures, std::uint64_t{0});
    QCOMPARE(totalsOf(result, "b").failures, std::uint64_t{0});
    QCOMPARE(result.gates[0][0].cuts, std::uint64_t{0});
    QCOMPARE(result.gates[0][0].breakerOpened, std::uint64_t{0});
}

void TstSimulation::nothingWaitsLongerThanItsDeadline()
{
    Scenario scenario =
        scenarioOf(eventText(R"({"at_s": 0, "provider": "b", "set": {"ttft_s": {"median": 500}}},
                     {"at_s": 0, "provider": "f", "set": {"ttft_s": {"median": 500}}})"));
    scenario.traffic[0].callsMin = scenario.traffic[0].callsMax = 1;
    for (const SimPolicy policy : kPolicies) {
        scenario.policy = policy;
        const SimResult result = simulate(scenario);
        QVERIFY(result.totals.userFailures > result.totals.calls * 99 / 100);
        QVERIFY(result.totals.taskTimeP95 <= 60 * kSecond);
    }
}

void TstSimulation::clientsLeaveAndAnswersEndByLength()
{
    const SimResult result =
        run(sampleWith(R"("gap_s")", R"("length_share": 0.9, "abort_share": 0.05, "gap_s")"),
            SimPolicy::Adaptive);
    QCOMPARE(result.totals.userFailures, std::uint64_t{0});
    QCOMPARE(totalsOf(result, "b").failures, std::uint64_t{0});
    QCOMPARE(result.gates[0][0].cuts + result.gates[0][0].breakerOpened, std::uint64_t{0});
    QVERIFY(result.totals.costMicroUsd > 0);
}

void TstSimulation::outputHasTheContractsKeys()
{
    const Scenario scenario = scenarioOf(sampleText());
    const auto json = toJson(simulate(scenario), scenario);
    const auto keys = [](const nlohmann::ordered_json& object) {
        std::string text;
        for (const auto& [key, value] : object.items())
            text += (text.empty() ? "" : " ") + key;
        return QString::fromStdString(text);
    };
    QCOMPARE(keys(json), QString("totals minutes incidents leader_changes"));
    QCOMPARE(
        keys(json["totals"]),
        QString("tasks calls user_failures caller_errors dropped cost_usd cost_per_task_usd "
                "task_time_s wasted_429 replay_mismatches by_provider"));
    QCOMPARE(keys(json["totals"]["by_provider"]["b"]), QString("calls share failures"));
    QCOMPARE(
        keys(json["minutes"][0]),
        QString("t_s model provider task_type calls share failures rate_limited explored "
                "permitted_rps rank score ttft_p50_s learned_cap_rps breaker held"));
    QVERIFY(json["minutes"][0]["rank"].is_null() && json["minutes"][0]["score"].is_null());
    QCOMPARE(keys(json["leader_changes"][0]), QString("t_s model task_type from to cause"));
    QCOMPARE(json["leader_changes"][0]["cause"].get<std::string>(), std::string{"start"});
}

void TstSimulation::survivesRedisRestartsAndAStoppedJob()
{
    const SimResult result =
        run(eventText(R"({"at_s": 600, "redis": "down"}, {"at_s": 900, "agent_restart": 0},
                     {"at_s": 1200, "redis": "up"}, {"at_s": 1500, "redis": "empty"},
                     {"at_s": 1600, "agent_restart": 1}, {"at_s": 1800, "summary_job": "stopped"},
                     {"at_s": 3300, "summary_job": "running"})"),
            SimPolicy::Adaptive);
    QCOMPARE(result.totals.userFailures, std::uint64_t{0});
    QCOMPARE(result.totals.dropped, std::uint64_t{0});
    // Without a fresh summary there is no exploration.
    const Scenario scenario = scenarioOf(sampleText());
    QVERIFY(shareOf(result, scenario, "f", 1200, 1800).explored > 0);
    QCOMPARE(shareOf(result, scenario, "f", 3060, 3240).explored, 0.0);
    QCOMPARE(result.totals.replayMismatches, std::uint64_t{0});
}

void TstSimulation::troubleIsAnIncident()
{
    const SimResult calm = run(sampleText(), SimPolicy::Fixed);
    QVERIFY(calm.incidents.empty());
    const SimResult result =
        run(eventText(R"({"at_s": 1200, "provider": "b", "set": {"status": 402}},
                     {"at_s": 2400, "provider": "b", "set": {"status": 200}})"),
            SimPolicy::Adaptive);
    QCOMPARE(result.incidents[0].kind, IncidentKind::CreditExhausted);
    QCOMPARE(result.incidents[0].provider, std::string{"b"});
    const Scenario scenario = scenarioOf(sampleText());
    QCOMPARE(result.incidents[0].onsetMs - scenario.startEpochMs, 1'200'000);
    QVERIFY(result.incidents[0].endMs.has_value());
}

void TstSimulation::historyIsKnownAtTheStart()
{
    const std::string text = sampleWith(R"("seed": 7)", R"("seed": 7, "history": "warm")");
    const SimResult warm = run(text, SimPolicy::Adaptive);
    const SimResult cold = run(sampleText(), SimPolicy::Adaptive);
    // What goes before is no part of the result, and changes none of its traffic.
    QCOMPARE(warm.totals.tasks, cold.totals.tasks);
    QCOMPARE(warm.totals.calls, cold.totals.calls);
    QVERIFY(cold.leaderChanges.size() == 1 && warm.leaderChanges.empty());
    QCOMPARE(warm.minutes[0].rank, 1);
    QCOMPARE(cold.minutes[0].rank, 0);
}

QTEST_APPLESS_MAIN(TstSimulation)
#include "tst_simulation.moc"
