// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/status.h"

#include "agent/admin/quality_status.h"
#include "common/routing/failover_capacity.h"
#include "common/routing/fixed_order.h"
#include "common/routing/pool_view.h"
#include "common/routing/token_bound.h"

#include <algorithm>
#include <cmath>

namespace weir::admin {
namespace {

const std::vector<RouteSettings>& routeSettings(const Control* control)
{
    static const std::vector<RouteSettings> none;
    return control != nullptr && control->decisions ? control->decisions->routes : none;
}

std::optional<double> asDouble(std::optional<std::int64_t> value, double divisor)
{
    if (!value) return std::nullopt;
    return static_cast<double>(*value) / divisor;
}

std::optional<double> wholeMs(std::optional<std::int64_t> microseconds)
{
    if (!microseconds) return std::nullopt;
    return std::round(static_cast<double>(*microseconds) / 1000.0);
}

void fillMinute(RouteStatus& route, const WindowSum& sum, double seconds)
{
    std::int64_t failures = 0;
    for (std::size_t i = 0; i < kOutcomeCount; ++i) {
        if (sum.outcomes[i] == 0) continue;
        const auto outcome = static_cast<Outcome>(i);
        route.outcomes1m.emplace(toWord(outcome), sum.outcomes[i]);
        if (!isSuccess(outcome) && !isNeutral(outcome)) failures += sum.outcomes[i];
    }
    route.rps1m = static_cast<double>(sum.attempts) / seconds;
    if (sum.attempts > 0) {
        route.errorRate1m = static_cast<double>(failures) / static_cast<double>(sum.attempts);
    }
    route.rateLimited1m = sum.outcomes[static_cast<std::size_t>(Outcome::RateLimited)];
    route.ttftMs = {wholeMs(sum.ttftUs.quantile(0.5)), wholeMs(sum.ttftUs.quantile(0.95))};
    route.tokensPerS.p50 = asDouble(sum.milliTokensPerS.quantile(0.5), 1000.0);
    route.costMicroUsd1m = sum.costMicroUsd;
}

RouteStatus
buildRoute(const ModelConfig& model, const RouteConfig& config, const LiveStats::Minute& minute)
{
    RouteStatus route;
    route.provider = config.provider;
    route.route = config.name();
    route.config = config;
    const auto sum = minute.routes.find(RouteKey(model.name, config.provider));
    if (sum != minute.routes.end()) fillMinute(route, sum->second, minute.seconds);
    const auto total = minute.attempts.find(model.name);
    if (total != minute.attempts.end() && total->second > 0) {
        const std::int64_t own = sum == minute.routes.end() ? 0 : sum->second.attempts;
        route.share1m = static_cast<double>(own) / static_cast<double>(total->second);
    }
    return route;
}

const PoolSummary* poolOf(const Summary* summary, const std::string& model)
{
    return summary == nullptr ? nullptr : routing::findPool(*summary, model, "default");
}

/// Of the pool `default`; a model with traffic of named task types alone shows the first of those.
const PoolSummary* shownPool(const Summary* summary, const std::string& model)
{
    const PoolSummary* const standard = poolOf(summary, model);
    if (standard == nullptr || !standard->leader.empty()) return standard;
    for (const PoolSummary& pool : summary->pools) {
        if (pool.model == model && !pool.leader.empty()) return &pool;
    }
    return standard;
}

double ratio(std::int64_t best, std::int64_t own)
{
    return static_cast<double>(best) / static_cast<double>(own);
}

/// Scores and indices: 1 is the best of the pool.
void fillScores(ModelStatus& model, const PoolSummary& pool)
{
    std::int64_t cheapest = 0;
    std::int64_t fastest = 0;
    for (const RouteFigures& figures : pool.routes) {
        if (figures.costNanoUsd > 0 && (cheapest == 0 || figures.costNanoUsd < cheapest)) {
            cheapest = figures.costNanoUsd;
        }
        if (figures.timeUs > 0 && (fastest == 0 || figures.timeUs < fastest)) {
            fastest = figures.timeUs;
        }
    }
    for (RouteStatus& route : model.routes) {
        const auto figures = std::find_if(
            pool.routes.begin(), pool.routes.end(), [&route](const RouteFigures& each) {
                return each.provider == route.provider;
            });
        if (figures == pool.routes.end()) continue;
        if (figures->score > 0) route.score = static_cast<double>(figures->score) / 1e9;
        if (figures->costNanoUsd > 0) route.costIndex = ratio(cheapest, figures->costNanoUsd);
        if (figures->timeUs > 0) route.speedIndex = ratio(fastest, figures->timeUs);
    }
}

void fillRanks(ModelStatus& model, const Summary& summary, const PoolSummary& shown)
{
    for (const PoolSummary& pool : summary.pools) {
        if (pool.model == model.name && !pool.leader.empty()) {
            model.leader.emplace(pool.taskType, pool.leader);
        }
    }
    for (RouteStatus& route : model.routes) {
        for (const RouteFigures& figures : shown.routes) {
            if (figures.provider == route.provider && figures.rank > 0) route.rank = figures.rank;
        }
    }
}

void fillFixedOrder(
    ModelStatus& model, const ModelConfig& config, const std::vector<RouteSettings>& settings)
{
    const std::vector<std::string> order = routing::fixedOrder(config, settings);
    if (!order.empty()) model.leader.emplace("default", order.front());
    for (RouteStatus& route : model.routes) {
        const auto found = std::find(order.begin(), order.end(), route.provider);
        if (found != order.end()) route.rank = static_cast<int>(found - order.begin()) + 1;
    }
}

void fillTokenBounds(ModelStatus& model, const Summary& summary)
{
    const auto ratioOf = [](std::int64_t ppm) { return static_cast<double>(ppm) / kPpm; };
    for (RouteStatus& route : model.routes) {
        for (const PoolSummary& pool : summary.pools) {
            if (pool.model != model.name) continue;
            for (const RouteFigures& figures : pool.routes) {
                const TokenBound& bound = figures.tokens;
                const std::int64_t most = route.tokenBound ? route.tokenBound->samples : 0;
                if (figures.provider != route.provider || bound.samples <= most) continue;
                route.tokenBound = TokenBoundStatus{
                    ratioOf(routing::boundPpm(bound)),
                    ratioOf(bound.medianPpm),
                    bound.samples,
                    bound.overruns};
            }
        }
    }
}

/// Who goes before whom in the mode in effect; the scores whatever the mode.
void fillOrder(
    ModelStatus& model, const ModelConfig& config, const Control* control, const Summary* summary)
{
    const std::vector<RouteSettings>& settings = routeSettings(control);
    for (RouteStatus& route : model.routes) {
        const RouteSettings* own = routing::settingsOf(settings, config.name, route.provider);
        route.enabled = own == nullptr || own->enabled;
    }
    const PoolSummary* const pool = shownPool(summary, model.name);
    if (pool != nullptr) fillScores(model, *pool);
    const bool adaptive = control != nullptr && control->effectiveMode == EffectiveMode::Adaptive;
    // Where nothing is proven yet the fixed order serves in adaptive mode, too.
    const bool led = pool != nullptr && !pool->leader.empty();
    if (adaptive && pool == nullptr) return;
    if (adaptive && led) return fillRanks(model, *summary, *pool);
    fillFixedOrder(model, config, settings);
}

void fillGauges(ModelStatus& model, const std::vector<RouteGauge>& gauges, UtcTime now)
{
    for (const RouteGauge& gauge : gauges) {
        if (gauge.model != model.name) continue;
        for (RouteStatus& route : model.routes) {
            if (route.provider != gauge.provider) continue;
            route.inFlight = gauge.inFlight;
            route.waiting = gauge.waiting;
            if (!gauge.gate.empty()) route.gate = gauge.gate;
            if (!gauge.breaker.empty()) route.breaker = gauge.breaker;
            route.permittedRps = asDouble(gauge.permittedMilliRps, 1000.0);
            route.capRps = asDouble(gauge.capMilliRps, 1000.0);
            if (!gauge.benchedUntil || *gauge.benchedUntil <= now) continue;
            route.benchedUntil = gauge.benchedUntil;
            if (!gauge.benchReason.empty()) route.benchReason = gauge.benchReason;
        }
    }
}

std::string troubleText(Outcome kind, const RouteStatus& route)
{
    switch (kind) {
    case Outcome::Auth:
        return route.provider + " refuses the key; check the provider's key variable";
    case Outcome::NoCredit:
        return route.provider + " says that the account is out of credit; top it up";
    default:
        return route.provider + " does not know the model or does not serve it to this account; "
                                "check the route's upstream_model";
    }
}

/// An enabled route's troubles only: a route that people switched off gets no success to end them.
void addTroubles(
    std::vector<Alert>& alerts,
    const ModelStatus& model,
    const std::map<RouteKey, std::vector<RouteTrouble>>& troubles)
{
    for (const RouteStatus& route : model.routes) {
        const auto found = troubles.find(RouteKey(model.name, route.provider));
        if (!route.enabled || found == troubles.end()) continue;
        for (const RouteTrouble& trouble : found->second) {
            alerts.push_back(
                {std::string(toWord(trouble.kind)),
                 route.route,
                 trouble.since,
                 troubleText(trouble.kind, route)});
        }
    }
}

/// What is known to be short for users, where that may still be changed in time.
void addShortages(std::vector<Alert>& alerts, const ModelStatus& model)
{
    for (const FailoverStatus& failover : model.failover) {
        if (!failover.shortSince) continue;
        const auto route = std::find_if(
            model.routes.begin(), model.routes.end(), [&failover](const RouteStatus& each) {
                return each.provider == failover.provider;
            });
        if (route == model.routes.end()) continue;
        alerts.push_back(
            {"failover_capacity",
             route->route,
             *failover.shortSince,
             routing::failoverShortText(failover)});
    }
}

/// A person must act on what a page says, but not on a ticket at once.
void addBurns(
    std::vector<Alert>& alerts,
    const ModelStatus& model,
    const std::vector<routing::BudgetStatus>& budgets)
{
    for (const RouteStatus& route : model.routes) {
        Alert alert{"budget_burn", route.route, {}, {}};
        for (const routing::BudgetStatus& budget : budgets) {
            const bool isOfRoute = budget.model == model.name && budget.provider == route.provider;
            if (!isOfRoute || budget.level != routing::BurnLevel::Page) continue;
            const UtcTime since = fromEpochMs(budget.sinceMs);
            alert.since = alert.text.empty() ? since : std::min(alert.since, since);
            alert.text.append(alert.text.empty() ? "" : "; ").append(budget.text);
        }
        if (!alert.text.empty()) alerts.push_back(std::move(alert));
    }
}

void fillControl(AgentStatus& status, const Control& control)
{
    status.effectiveMode = control.effectiveMode;
    status.modeReason = control.modeReason;
    status.store = control.storeReachable ? "ok" : "down";
    if (!control.decisions) return;
    const RoutingSwitch& routingSwitch = control.decisions->routingSwitch;
    status.mode = routingSwitch.mode;
    status.switchReason = routingSwitch.reason;
    status.switchBy = routingSwitch.updatedBy;
    if (routingSwitch.updatedAt != UtcTime{}) status.switchAt = routingSwitch.updatedAt;
    status.switchVersion = routingSwitch.version;
    status.settingsVersion = control.decisions->settings.version;
}

} // namespace

AgentStatus buildStatus(const Sources& sources, const LiveStats& stats, Now now)
{
    const std::shared_ptr<const Config> config = sources.config();
    const std::shared_ptr<const Control> control = sources.control();
    const std::vector<RouteGauge> gauges = sources.routes();
    const LiveStats::Minute own = stats.minute(now.instant);
    // What the routes do they do for the whole fleet, where this agent is one of several.
    const std::optional<LiveStats::Minute> fleets = sources.fleetMinute();
    const LiveStats::Minute& minute = fleets ? *fleets : own;
    const auto troubles = stats.troubles();
    const std::shared_ptr<const Summary> summary = sources.summary();
    const std::shared_ptr<const FailoverReport> failover = sources.failover();
    const auto budgets = sources.budgets();

    AgentStatus status;
    status.agentId = sources.agentId;
    status.version = sources.version;
    status.host = sources.host;
    status.service = config->agent.service;
    status.at = now.utc;
    status.store = "down";
    status.modeReason = "settings_unreadable";
    if (control) fillControl(status, *control);
    status.redis = sources.redis();
    status.gatesLocal = sources.gatesLocal();
    status.ledgerBacklogRows = sources.ledger().backlogRows;
    status.draining = sources.draining();
    status.clientConnections = sources.clientConnections();
    status.requestsPerS1m = static_cast<double>(own.requests) / own.seconds;
    status.levels = stats.levels(now.instant);
    status.agents = sources.agents();
    if (summary) {
        const UtcTime computedAt = fromEpochMs(summary->computedAtMs);
        const double ageS = std::chrono::duration<double>(now.utc - computedAt).count();
        status.summary = SummaryStatus{summary->id, computedAt, std::max(ageS, 0.0)};
    }
    for (const auto& [name, modelConfig] : config->models) {
        ModelStatus& model = status.models.emplace_back();
        model.name = name;
        for (const RouteConfig& route : modelConfig.routes) {
            model.routes.push_back(buildRoute(modelConfig, route, minute));
        }
        fillOrder(model, modelConfig, control.get(), summary.get());
        if (summary) fillTokenBounds(model, *summary);
        fillGauges(model, gauges, now.utc);
        addTroubles(status.alerts, model, troubles);
        if (failover && failover->contains(name)) model.failover = failover->at(name);
        addShortages(status.alerts, model);
        addBurns(status.alerts, model, *budgets);
    }
    if (control) addQuality(status, *config, *control);
    for (Alert& alert : sources.alerts())
        status.alerts.push_back(std::move(alert));
    status.drills = sources.drills(now.instant);
    return status;
}

} // namespace weir::admin
