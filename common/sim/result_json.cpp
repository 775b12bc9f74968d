// SPDX-License-Identifier: Apache-2.0
#include "common/sim/result_json.h"

#include "common/model/degradation_report_json.h"

#include <nlohmann/json.hpp>

namespace weir::sim {
namespace {

using Json = nlohmann::ordered_json;

double seconds(Micros time)
{
    return static_cast<double>(time) / 1e6;
}

double dollars(std::int64_t microUsd)
{
    return static_cast<double>(microUsd) / 1e6;
}

double rps(std::int64_t milliRps)
{
    return static_cast<double>(milliRps) / 1e3;
}

Json minuteJson(const MinuteRow& row, const SimResult& result, const Scenario& scenario)
{
    const PoolName& pool = result.pools[row.pool];
    const ScenarioModel& model = scenario.models[pool.model];
    Json json{
        {"t_s", row.minute * 60},
        {"model", model.name},
        {"provider", model.routes[row.route].provider},
        {"task_type", pool.taskType},
        {"calls", row.calls},
        {"share", row.share},
        {"failures", row.failures},
        {"rate_limited", row.rateLimited},
        {"explored", row.explored},
        {"permitted_rps", rps(row.permittedMilliRps)}};
    json["rank"] = row.rank > 0 ? Json(row.rank) : Json(nullptr);
    json["score"] = row.rank > 0 ? Json(static_cast<double>(row.score) / 1e9) : Json(nullptr);
    json["ttft_p50_s"] = row.ttftP50 >= 0 ? Json(seconds(row.ttftP50)) : Json(nullptr);
    json["learned_cap_rps"] = row.capMilliRps >= 0 ? Json(rps(row.capMilliRps)) : Json(nullptr);
    json["breaker"] = toWord(row.breaker);
    json["held"] = row.hold != HoldKind::None;
    return json;
}

Json ladderJson(const routing::LadderMinute& minute, const Scenario& scenario)
{
    const std::optional<int> mode = minute.mode();
    Json json{{"t_s", (minute.startMs - scenario.startEpochMs) / 1000}};
    json["mode"] = mode ? Json('L' + std::to_string(*mode)) : Json(nullptr);
    json["tasks"] = Json::array();
    for (const LadderTask& task : minute.tasks)
        json["tasks"].push_back(toJson(task));
    return json;
}

Json incidentJson(const Incident& incident, const Scenario& scenario)
{
    const auto at = [&scenario](std::int64_t epochMs) {
        return static_cast<double>(epochMs - scenario.startEpochMs) / 1e3;
    };
    Json json{{"kind", toWord(incident.kind)}};
    json["provider"] = incident.provider.empty() ? Json(nullptr) : Json(incident.provider);
    json["start_s"] = at(incident.onsetMs);
    json["end_s"] = incident.endMs ? Json(at(*incident.endMs)) : Json(nullptr);
    return json;
}

} // namespace

Json totalsJson(const SimResult& result)
{
    const Totals& totals = result.totals;
    Json json{
        {"tasks", totals.tasks},
        {"calls", totals.calls},
        {"user_failures", totals.userFailures},
        {"caller_errors", totals.callerErrors},
        {"dropped", totals.dropped},
        {"cost_usd", dollars(totals.costMicroUsd)}};
    json["cost_per_task_usd"] =
        totals.tasks > 0 ? dollars(totals.costMicroUsd) / static_cast<double>(totals.tasks) : 0.0;
    json["task_time_s"] = {
        {"p50", seconds(totals.taskTimeP50)}, {"p95", seconds(totals.taskTimeP95)}};
    json["wasted_429"] = totals.wasted429;
    json["replay_mismatches"] = totals.replayMismatches;
    json["by_provider"] = Json::object();
    for (const ProviderTotals& provider : totals.byProvider) {
        json["by_provider"][provider.provider] = {
            {"calls", provider.calls}, {"share", provider.share}, {"failures", provider.failures}};
    }
    if (result.degradation) json["degradation"] = toJson(result.degradation->report);
    return json;
}

Json toJson(const SimResult& result, const Scenario& scenario)
{
    Json json{{"totals", totalsJson(result)}};
    json["minutes"] = Json::array();
    for (const MinuteRow& row : result.minutes)
        json["minutes"].push_back(minuteJson(row, result, scenario));
    json["incidents"] = Json::array();
    for (const Incident& incident : result.incidents)
        json["incidents"].push_back(incidentJson(incident, scenario));
    json["leader_changes"] = Json::array();
    for (const LeaderChange& change : result.leaderChanges) {
        const PoolName& pool = result.pools[change.pool];
        json["leader_changes"].push_back(
            {{"t_s", seconds(change.at)},
             {"model", scenario.models[pool.model].name},
             {"task_type", pool.taskType},
             {"from", change.from.empty() ? Json(nullptr) : Json(change.from)},
             {"to", change.to.empty() ? Json(nullptr) : Json(change.to)},
             {"cause", toWord(change.cause)}});
    }
    if (!result.degradation) return json;
    json["degradation_minutes"] = Json::array();
    for (const routing::LadderMinute& minute : result.degradation->minutes)
        json["degradation_minutes"].push_back(ladderJson(minute, scenario));
    return json;
}

} // namespace weir::sim
