// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/metrics.h"

#include "agent/admin/metrics_writer.h"

#include <array>
#include <set>

namespace weir::admin {
namespace {

using Totals = std::map<RouteKey, RouteTotals>;
using OutcomeCounts = std::array<std::int64_t, kOutcomeCount>;

void writeByOutcome(MetricsWriter& out, const Totals& totals, OutcomeCounts RouteTotals::*counts)
{
    for (const auto& [key, route] : totals) {
        for (std::size_t i = 0; i < kOutcomeCount; ++i) {
            const std::int64_t count = (route.*counts)[i];
            if (count == 0) continue;
            const std::array<Label, 3> labels{
                {{"model", key.first},
                 {"provider", key.second},
                 {"outcome", toWord(static_cast<Outcome>(i))}}};
            out.sample(labels, count);
        }
    }
}

std::array<Label, 2> labelsOf(const RouteKey& key)
{
    return {{{"model", key.first}, {"provider", key.second}}};
}

std::array<Label, 2> labelsOf(const ModelStatus& model, const RouteStatus& route)
{
    return {{{"model", model.name}, {"provider", route.provider}}};
}

void writeTotals(MetricsWriter& out, const Totals& totals)
{
    out.family(
        "weir_requests_total",
        "counter",
        "Client requests by the route and outcome of their last attempt.");
    writeByOutcome(out, totals, &RouteTotals::requests);
    out.family("weir_attempts_total", "counter", "Upstream attempts by outcome.");
    writeByOutcome(out, totals, &RouteTotals::attempts);
    out.family(
        "weir_ttft_seconds", "histogram", "Time from an attempt's start to its first output.");
    for (const auto& [key, route] : totals) {
        out.histogram(labelsOf(key), kTtftBoundsMs, route.ttft.counts, route.ttft.sum, 1000);
    }
    out.family(
        "weir_cost_usd_total", "counter", "Cost of the attempts whose cost is known, in USD.");
    for (const auto& [key, route] : totals) {
        out.sampleMicro(labelsOf(key), route.costMicroUsd);
    }
}

/// OpenTelemetry's names with dots made underscores and the unit at the end, as its exporters do.
void writeGenAi(MetricsWriter& out, const Totals& totals)
{
    out.family(
        "gen_ai_client_operation_duration_seconds",
        "histogram",
        "Duration of upstream attempts (OpenTelemetry gen_ai.client.operation.duration).");
    for (const auto& [key, route] : totals) {
        for (const auto& [outcome, duration] : route.durations) {
            std::vector<Label> labels{
                {"gen_ai_operation_name", "chat"},
                {"gen_ai_provider_name", key.second},
                {"gen_ai_request_model", key.first}};
            if (!isSuccess(outcome)) labels.emplace_back("error_type", toWord(outcome));
            out.histogram(labels, kDurationBoundsMs, duration.counts, duration.sum, 1000);
        }
    }
    out.family(
        "gen_ai_client_token_usage",
        "histogram",
        "Tokens of upstream attempts (OpenTelemetry gen_ai.client.token.usage).");
    for (const auto& [key, route] : totals) {
        const auto write = [&out, &key](std::string_view type, const auto& tokens) {
            const std::array<Label, 4> labels{
                {{"gen_ai_operation_name", "chat"},
                 {"gen_ai_provider_name", key.second},
                 {"gen_ai_request_model", key.first},
                 {"gen_ai_token_type", type}}};
            out.histogram(labels, kTokenBounds, tokens.counts, tokens.sum, 1);
        };
        write("input", route.inputTokens);
        write("output", route.outputTokens);
    }
}

void writeRoutes(MetricsWriter& out, const AgentStatus& status)
{
    out.family("weir_share", "gauge", "Share of the model's attempts of the last minute.");
    for (const ModelStatus& model : status.models) {
        for (const RouteStatus& route : model.routes) {
            if (route.share1m) out.sample(labelsOf(model, route), *route.share1m);
        }
    }
    out.family("weir_in_flight", "gauge", "Upstream attempts that run now.");
    for (const ModelStatus& model : status.models) {
        for (const RouteStatus& route : model.routes) {
            out.sample(labelsOf(model, route), route.inFlight);
        }
    }
}

void writeFailover(MetricsWriter& out, const AgentStatus& status)
{
    out.family("weir_waiting", "gauge", "Requests that stand in line for a server's next slot.");
    for (const ModelStatus& model : status.models) {
        for (const RouteStatus& route : model.routes)
            out.sample(labelsOf(model, route), route.waiting);
    }
    out.family(
        "weir_failover_capacity_ratio",
        "gauge",
        "If the route fails: what the model needs at its peak over what the other routes are known "
        "to bear; above 1 it does not fit.");
    for (const ModelStatus& model : status.models) {
        for (const FailoverStatus& failover : model.failover) {
            if (!failover.ratio) continue;
            out.sample(labelsOf({model.name, failover.provider}), *failover.ratio);
        }
    }
}

/// 0 closed, 1 half open, 2 open; nothing for a word that is not known.
std::optional<std::int64_t> breakerLevel(std::string_view word)
{
    if (word == "closed") return 0;
    if (word == "half_open") return 1;
    if (word == "open") return 2;
    return std::nullopt;
}

void writeTokenBounds(MetricsWriter& out, const AgentStatus& status)
{
    const auto each = [&out, &status](auto value) {
        for (const ModelStatus& model : status.models) {
            for (const RouteStatus& route : model.routes) {
                if (route.tokenBound) out.sample(labelsOf(model, route), value(*route.tokenBound));
            }
        }
    };
    out.family(
        "weir_token_bound_ratio", "gauge", "Tokens at most for one that is estimated of a prompt.");
    each([](const TokenBoundStatus& bound) { return bound.perEstimate; });
    out.family("weir_token_bound_median", "gauge", "The same, of half of the prompts.");
    each([](const TokenBoundStatus& bound) { return bound.median; });
    out.family("weir_token_bound_samples", "gauge", "Prompts of 48 hours behind the bound.");
    each([](const TokenBoundStatus& bound) { return bound.samples; });
    out.family("weir_token_bound_overruns", "gauge", "Of these, prompts above the bound.");
    each([](const TokenBoundStatus& bound) { return bound.overruns; });
}

void writeLearned(MetricsWriter& out, const AgentStatus& status)
{
    out.family("weir_score", "gauge", "Score of the route in the newest summary, 1 = best of all.");
    for (const ModelStatus& model : status.models) {
        for (const RouteStatus& route : model.routes) {
            if (route.score) out.sample(labelsOf(model, route), *route.score);
        }
    }
    out.family("weir_permitted_rps", "gauge", "Requests per second that the route's gate permits.");
    for (const ModelStatus& model : status.models) {
        for (const RouteStatus& route : model.routes) {
            if (route.permittedRps) out.sample(labelsOf(model, route), *route.permittedRps);
        }
    }
    out.family("weir_breaker_state", "gauge", "0 closed, 1 half open, 2 open.");
    for (const ModelStatus& model : status.models) {
        for (const RouteStatus& route : model.routes) {
            const auto level = breakerLevel(route.breaker.value_or(std::string{}));
            if (level) out.sample(labelsOf(model, route), *level);
        }
    }
    out.family(
        "weir_quality_score", "gauge", "Score of the route's newest eval run for the task type.");
    for (const ModelStatus& model : status.models) {
        for (const RouteStatus& route : model.routes) {
            for (const QualityScore& score : route.quality) {
                const std::array<Label, 3> labels{
                    {{"model", model.name},
                     {"provider", route.provider},
                     {"task_type", score.taskType}}};
                out.sample(labels, static_cast<double>(score.scorePpm) / 1e6);
            }
        }
    }
    writeTokenBounds(out, status);
    out.family("weir_summary_age_seconds", "gauge", "Age of the newest summary.");
    if (status.summary) out.sample(std::span<const Label>{}, status.summary->ageS);
}

void writeCuts(MetricsWriter& out, const std::vector<RouteGauge>& gauges)
{
    out.family("weir_gate_cuts_total", "counter", "Times that the permitted rate was cut.");
    for (const RouteGauge& gauge : gauges) {
        if (!gauge.gate.empty()) out.sample(labelsOf({gauge.model, gauge.provider}), gauge.cuts);
    }
}

/// Only where there is a fleet to share with.
void writeFleet(MetricsWriter& out, const AgentStatus& status)
{
    if (status.redis == "none") return;
    const std::span<const Label> none;
    out.family("weir_redis_up", "gauge", "1 while Redis serves the fleet.");
    out.sample(none, std::int64_t{status.redis == "ok"});
    out.family(
        "weir_gates_local", "gauge", "1 while this agent goes by its own share of the rates.");
    out.sample(none, std::int64_t{status.gatesLocal});
}

void writeAgent(MetricsWriter& out, const AgentStatus& status, std::int64_t lostRows)
{
    const std::span<const Label> none;
    out.family(
        "weir_ledger_backlog_rows", "gauge", "Attempts on disk that are not in the ledger yet.");
    out.sample(none, status.ledgerBacklogRows);
    out.family(
        "weir_ledger_lost_rows_total",
        "counter",
        "Attempts that the full spool or the database refused.");
    out.sample(none, lostRows);
    out.family("weir_client_connections", "gauge", "Open connections of clients.");
    out.sample(none, status.clientConnections);
    out.family("weir_mode", "gauge", "1 for the mode in effect, 0 for the others.");
    for (const EffectiveMode mode :
         {EffectiveMode::Adaptive,
          EffectiveMode::Shadow,
          EffectiveMode::Fixed,
          EffectiveMode::Failsafe}) {
        const std::array<Label, 1> labels{{{"mode", toWord(mode)}}};
        out.sample(labels, std::int64_t{mode == status.effectiveMode});
    }
    out.family("weir_alert", "gauge", "1 for each condition that a person must act on.");
    // A label set may stand once only, whatever the sources of alerts hand in.
    std::set<std::pair<std::string_view, std::string_view>> written;
    for (const Alert& alert : status.alerts) {
        if (!written.emplace(alert.kind, alert.route).second) continue;
        const std::array<Label, 2> labels{{{"kind", alert.kind}, {"route", alert.route}}};
        out.sample(labels, std::int64_t{1});
    }
}

void writeDrills(MetricsWriter& out, const AgentStatus& status)
{
    out.family(
        "weir_drill", "gauge", "1 for each drill that runs: what goes wrong there is meant.");
    for (const DrillStatus& drill : status.drills) {
        const std::array<Label, 3> labels{
            {{"model", drill.drill.model},
             {"provider", drill.drill.provider},
             {"kind", toWord(drill.drill.kind)}}};
        out.sample(labels, std::int64_t{1});
    }
}

} // namespace

std::string metricsText(
    const AgentStatus& status,
    const std::map<RouteKey, RouteTotals>& totals,
    const std::vector<RouteGauge>& gauges,
    std::int64_t lostRows)
{
    MetricsWriter out;
    writeTotals(out, totals);
    writeGenAi(out, totals);
    writeRoutes(out, status);
    writeFailover(out, status);
    writeLearned(out, status);
    writeCuts(out, gauges);
    writeAgent(out, status, lostRows);
    writeFleet(out, status);
    writeDrills(out, status);
    return out.take();
}

} // namespace weir::admin
