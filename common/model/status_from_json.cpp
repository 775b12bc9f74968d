// SPDX-License-Identifier: Apache-2.0
#include "common/model/degradation_report_json.h"
#include "common/model/drill_json.h"
#include "common/model/route_config_json.h"
#include "common/model/status_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kPpmOne = 1e6;

/// Fills `target` where the key is there and of the right kind; null and absent leave it alone.
template <class T>
void read(const Json& json, const char* key, T& target)
{
    const auto found = json.find(key);
    if (found == json.end() || found->is_null()) return;
    target = found->get<T>();
}

template <class T>
void read(const Json& json, const char* key, std::optional<T>& target)
{
    const auto found = json.find(key);
    if (found == json.end() || found->is_null()) return;
    target = found->get<T>();
}

void read(const Json& json, const char* key, UtcTime& target)
{
    const auto found = json.find(key);
    if (found == json.end() || found->is_null()) return;
    if (const auto time = parseIso(found->get<std::string>())) target = *time;
}

void read(const Json& json, const char* key, std::optional<UtcTime>& target)
{
    UtcTime time{};
    read(json, key, time);
    if (time != UtcTime{}) target = time;
}

void read(const Json& json, const char* key, Quantiles& target)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_object()) return;
    read(*found, "p50", target.p50);
    read(*found, "p95", target.p95);
}

void readPpm(const Json& json, const char* key, std::optional<std::int64_t>& target)
{
    std::optional<double> share;
    read(json, key, share);
    if (share) target = std::llround(*share * kPpmOne);
}

QualityScore scoreFromJson(const Json& json)
{
    QualityScore score;
    std::optional<std::int64_t> ppm;
    readPpm(json, "score", ppm);
    score.scorePpm = ppm.value_or(0);
    readPpm(json, "schema_valid", score.schemaValidPpm);
    readPpm(json, "refused", score.refusedPpm);
    read(json, "task_type", score.taskType);
    read(json, "cases", score.cases);
    read(json, "unanswered", score.unanswered);
    read(json, "eval_set", score.evalSet);
    read(json, "eval_set_hash", score.evalSetHash);
    read(json, "scored_at", score.scoredAt);
    return score;
}

void read(const Json& json, const char* key, LoadRate& target)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_object()) return;
    read(*found, "rps", target.rps);
    read(*found, "tokens_per_minute", target.tokensPerMinute);
}

void read(const Json& json, const char* key, std::optional<TokenBoundStatus>& target)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_object()) return;
    TokenBoundStatus& bound = target.emplace();
    read(*found, "per_estimate", bound.perEstimate);
    read(*found, "median", bound.median);
    read(*found, "samples", bound.samples);
    read(*found, "overruns", bound.overruns);
}

void read(const Json& json, const char* key, LevelWindow& target)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_object()) return;
    read(*found, "requests", target.requests);
    read(*found, "shed", target.shed);
    for (std::size_t level = 0; level < kLevelCount; ++level) {
        const auto at = found->find(levelName(level));
        if (at != found->end() && at->is_object()) read(*at, "requests", target.levels[level]);
    }
}

RouteStatus routeFromJson(const Json& json)
{
    RouteStatus route;
    read(json, "provider", route.provider);
    read(json, "route", route.route);
    read(json, "enabled", route.enabled);
    read(json, "rank", route.rank);
    read(json, "score", route.score);
    read(json, "cost_index", route.costIndex);
    read(json, "speed_index", route.speedIndex);
    read(json, "share_1m", route.share1m);
    read(json, "rps_1m", route.rps1m);
    read(json, "permitted_rps", route.permittedRps);
    read(json, "cap_rps", route.capRps);
    read(json, "gate", route.gate);
    read(json, "breaker", route.breaker);
    read(json, "benched_until", route.benchedUntil);
    read(json, "bench_reason", route.benchReason);
    read(json, "error_rate_1m", route.errorRate1m);
    read(json, "rate_limited_1m", route.rateLimited1m);
    read(json, "ttft_ms", route.ttftMs);
    read(json, "tokens_per_s", route.tokensPerS);
    read(json, "in_flight", route.inFlight);
    read(json, "waiting", route.waiting);
    read(json, "outcomes_1m", route.outcomes1m);
    read(json, "cost_micro_usd_1m", route.costMicroUsd1m);
    for (const Json& score : json.value("quality", Json::array()))
        route.quality.push_back(scoreFromJson(score));
    read(json, "token_bound", route.tokenBound);
    const auto config = json.find("config");
    if (config != json.end() && config->is_object()) {
        route.config = routeConfigFromJson(*config);
    }
    return route;
}

ModelStatus modelFromJson(const Json& json)
{
    ModelStatus model;
    read(json, "name", model.name);
    read(json, "leader", model.leader);
    for (const Json& route : json.value("routes", Json::array())) {
        RouteStatus& known = model.routes.emplace_back(routeFromJson(route));
        for (QualityScore& score : known.quality) {
            score.model = model.name;
            score.provider = known.provider;
        }
    }
    for (const Json& failover : json.value("failover", Json::array())) {
        model.failover.push_back(failoverFromJson(failover));
    }
    return model;
}

AgentPresence presenceFromJson(const Json& json)
{
    AgentPresence agent;
    read(json, "agent_id", agent.agentId);
    read(json, "service", agent.service);
    read(json, "host", agent.host);
    read(json, "version", agent.version);
    read(json, "effective_mode", agent.effectiveMode);
    read(json, "mode_reason", agent.modeReason);
    read(json, "switch_version", agent.switchVersion);
    read(json, "settings_version", agent.settingsVersion);
    read(json, "last_seen_s", agent.lastSeenS);
    read(json, "applied_at", agent.appliedAt);
    read(json, "store", agent.store);
    read(json, "redis", agent.redis);
    read(json, "ledger_backlog_rows", agent.ledgerBacklogRows);
    read(json, "summary_age_s", agent.summaryAgeS);
    read(json, "clock_skew_ms", agent.clockSkewMs);
    return agent;
}

void readHeader(const Json& json, AgentStatus& status)
{
    read(json, "agent_id", status.agentId);
    read(json, "version", status.version);
    read(json, "service", status.service);
    read(json, "host", status.host);
    read(json, "at", status.at);
    std::string word;
    read(json, "mode", word);
    status.mode = modeFromWord(word);
    word.clear();
    read(json, "effective_mode", word);
    status.effectiveMode = effectiveModeFromWord(word).value_or(EffectiveMode::Failsafe);
    read(json, "mode_reason", status.modeReason);
    read(json, "switch_reason", status.switchReason);
    read(json, "switch_by", status.switchBy);
    read(json, "switch_at", status.switchAt);
    read(json, "switch_version", status.switchVersion);
    read(json, "settings_version", status.settingsVersion);
    read(json, "store", status.store);
    read(json, "redis", status.redis);
    read(json, "gates_local", status.gatesLocal);
    read(json, "ledger_backlog_rows", status.ledgerBacklogRows);
    read(json, "draining", status.draining);
    read(json, "client_connections", status.clientConnections);
    read(json, "requests_per_s_1m", status.requestsPerS1m);
    if (const auto found = json.find("levels"); found != json.end() && found->is_object()) {
        read(*found, "last_minute", status.levels.lastMinute);
        read(*found, "last_hour", status.levels.lastHour);
    }
}

} // namespace

FailoverStatus failoverFromJson(const Json& json)
{
    FailoverStatus failover;
    read(json, "provider", failover.provider);
    read(json, "moves", failover.moves);
    read(json, "needs", failover.needs);
    read(json, "interactive_needs", failover.interactiveNeeds);
    read(json, "capacity_rps", failover.capacityRps);
    read(json, "ratio", failover.ratio);
    read(json, "interactive_ratio", failover.interactiveRatio);
    read(json, "others", failover.others);
    read(json, "unknown", failover.unknown);
    read(json, "short_since", failover.shortSince);
    return failover;
}

Result<AgentStatus> statusFromJson(std::string_view text)
{
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("agent_id")) {
        return fail("bad_status", "", "the answer is not an agent's status");
    }
    try {
        AgentStatus status;
        readHeader(json, status);
        if (const auto found = json.find("summary"); found != json.end() && found->is_object()) {
            SummaryStatus summary;
            read(*found, "id", summary.id);
            read(*found, "computed_at", summary.computedAt);
            read(*found, "age_s", summary.ageS);
            status.summary = summary;
        }
        for (const Json& agent : json.value("agents", Json::array())) {
            status.agents.push_back(presenceFromJson(agent));
        }
        for (const Json& model : json.value("models", Json::array())) {
            status.models.push_back(modelFromJson(model));
        }
        for (const Json& entry : json.value("alerts", Json::array())) {
            Alert alert;
            read(entry, "kind", alert.kind);
            read(entry, "route", alert.route);
            read(entry, "since", alert.since);
            read(entry, "text", alert.text);
            status.alerts.push_back(std::move(alert));
        }
        for (const Json& drill : json.value("drills", Json::array())) {
            status.drills.push_back(drillStatusFromJson(drill));
        }
        return status;
    } catch (const nlohmann::json::exception& error) {
        return fail("bad_status", "", error.what());
    }
}

} // namespace weir
