// SPDX-License-Identifier: Apache-2.0
#include "common/model/status_json.h"

#include "common/model/degradation_report_json.h"
#include "common/model/drill_json.h"
#include "common/model/route_config_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kPpmOne = 1e6;

template <class T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json orNull(const std::optional<UtcTime>& value)
{
    return value ? Json(toIso(*value)) : Json(nullptr);
}

Json toJson(const Quantiles& value)
{
    return {{"p50", orNull(value.p50)}, {"p95", orNull(value.p95)}};
}

Json shareOrNull(const std::optional<std::int64_t>& ppm)
{
    return ppm ? Json(static_cast<double>(*ppm) / kPpmOne) : Json(nullptr);
}

Json toJson(const std::vector<QualityScore>& quality)
{
    Json json = Json::array();
    for (const QualityScore& score : quality) {
        json.push_back(
            {{"task_type", score.taskType},
             {"score", static_cast<double>(score.scorePpm) / kPpmOne},
             {"schema_valid", shareOrNull(score.schemaValidPpm)},
             {"refused", shareOrNull(score.refusedPpm)},
             {"cases", score.cases},
             {"unanswered", score.unanswered},
             {"eval_set", score.evalSet},
             {"eval_set_hash", score.evalSetHash},
             {"scored_at", toIso(score.scoredAt)}});
    }
    return json;
}

Json toJson(const std::optional<TokenBoundStatus>& bound)
{
    if (!bound) return nullptr;
    return {
        {"per_estimate", bound->perEstimate},
        {"median", bound->median},
        {"samples", bound->samples},
        {"overruns", bound->overruns}};
}

Json toJson(const RouteStatus& route)
{
    return {
        {"provider", route.provider},
        {"route", route.route},
        {"enabled", route.enabled},
        {"rank", orNull(route.rank)},
        {"score", orNull(route.score)},
        {"cost_index", orNull(route.costIndex)},
        {"speed_index", orNull(route.speedIndex)},
        {"share_1m", orNull(route.share1m)},
        {"rps_1m", route.rps1m},
        {"permitted_rps", orNull(route.permittedRps)},
        {"cap_rps", orNull(route.capRps)},
        {"gate", orNull(route.gate)},
        {"breaker", orNull(route.breaker)},
        {"benched_until", orNull(route.benchedUntil)},
        {"bench_reason", orNull(route.benchReason)},
        {"error_rate_1m", orNull(route.errorRate1m)},
        {"rate_limited_1m", route.rateLimited1m},
        {"ttft_ms", toJson(route.ttftMs)},
        {"tokens_per_s", toJson(route.tokensPerS)},
        {"in_flight", route.inFlight},
        {"waiting", route.waiting},
        {"outcomes_1m", Json(route.outcomes1m)},
        {"cost_micro_usd_1m", orNull(route.costMicroUsd1m)},
        {"quality", toJson(route.quality)},
        {"token_bound", toJson(route.tokenBound)},
        {"config", route.config ? toJson(*route.config) : Json(nullptr)}};
}

Json toJson(const LoadRate& rate)
{
    return {{"rps", rate.rps}, {"tokens_per_minute", rate.tokensPerMinute}};
}

Json toJson(const LevelWindow& window)
{
    Json json{{"requests", window.requests}, {"shed", window.shed}};
    for (std::size_t level = 0; level < kLevelCount; ++level) {
        const auto count = static_cast<double>(window.levels[level]);
        const double share =
            window.requests > 0 ? count / static_cast<double>(window.requests) : 0.0;
        json[levelName(level)] = {{"requests", window.levels[level]}, {"share", share}};
    }
    return json;
}

} // namespace

nlohmann::ordered_json toJson(const AgentPresence& agent)
{
    return {
        {"agent_id", agent.agentId},
        {"service", agent.service},
        {"host", agent.host},
        {"version", agent.version},
        {"effective_mode", agent.effectiveMode},
        {"mode_reason", agent.modeReason},
        {"switch_version", agent.switchVersion},
        {"settings_version", agent.settingsVersion},
        {"last_seen_s", agent.lastSeenS},
        {"applied_at", orNull(agent.appliedAt)},
        {"store", agent.store},
        {"redis", agent.redis},
        {"ledger_backlog_rows", orNull(agent.ledgerBacklogRows)},
        {"summary_age_s", orNull(agent.summaryAgeS)},
        {"clock_skew_ms", orNull(agent.clockSkewMs)}};
}

nlohmann::ordered_json toJson(const FailoverStatus& failover)
{
    return {
        {"provider", failover.provider},
        {"moves", toJson(failover.moves)},
        {"needs", toJson(failover.needs)},
        {"interactive_needs", toJson(failover.interactiveNeeds)},
        {"capacity_rps", orNull(failover.capacityRps)},
        {"ratio", orNull(failover.ratio)},
        {"interactive_ratio", orNull(failover.interactiveRatio)},
        {"others", failover.others},
        {"unknown", failover.unknown},
        {"short_since", orNull(failover.shortSince)}};
}

Json toJson(const AgentStatus& status)
{
    Json json{
        {"agent_id", status.agentId},
        {"version", status.version},
        {"service", status.service},
        {"host", status.host},
        {"at", toIso(status.at)},
        {"mode", status.mode ? Json(toWord(*status.mode)) : Json(nullptr)},
        {"effective_mode", toWord(status.effectiveMode)},
        {"mode_reason", status.modeReason},
        {"switch_reason", status.switchReason},
        {"switch_by", status.switchBy},
        {"switch_at", orNull(status.switchAt)},
        {"switch_version", status.switchVersion},
        {"settings_version", status.settingsVersion},
        {"store", status.store},
        {"redis", status.redis},
        {"gates_local", status.gatesLocal},
        {"ledger_backlog_rows", status.ledgerBacklogRows},
        {"draining", status.draining},
        {"client_connections", status.clientConnections},
        {"requests_per_s_1m", status.requestsPerS1m},
        {"levels",
         {{"last_minute", toJson(status.levels.lastMinute)},
          {"last_hour", toJson(status.levels.lastHour)}}},
        {"summary", nullptr},
        {"agents", Json::array()},
        {"models", Json::array()},
        {"alerts", Json::array()},
        {"drills", Json::array()}};
    if (status.summary) {
        json["summary"] = {
            {"id", status.summary->id},
            {"computed_at", toIso(status.summary->computedAt)},
            {"age_s", status.summary->ageS}};
    }
    for (const AgentPresence& agent : status.agents)
        json["agents"].push_back(toJson(agent));
    for (const ModelStatus& model : status.models) {
        Json routes = Json::array();
        for (const RouteStatus& route : model.routes)
            routes.push_back(toJson(route));
        Json failover = Json::array();
        for (const FailoverStatus& one : model.failover)
            failover.push_back(toJson(one));
        json["models"].push_back(
            {{"name", model.name},
             {"leader", Json(model.leader)},
             {"routes", std::move(routes)},
             {"failover", std::move(failover)}});
    }
    for (const Alert& alert : status.alerts) {
        json["alerts"].push_back(
            {{"kind", alert.kind},
             {"route", alert.route},
             {"since", toIso(alert.since)},
             {"text", alert.text}});
    }
    for (const DrillStatus& drill : status.drills)
        json["drills"].push_back(toJson(drill));
    return json;
}

} // namespace weir
