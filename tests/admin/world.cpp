// SPDX-License-Identifier: Apache-2.0
#include "tests/admin/world.h"

namespace weir::admin {

Now at(double seconds)
{
    const auto past = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
    const UtcTime start = *parseIso("2026-11-30T10:00:00Z");
    return {
        Instant(std::chrono::hours(1)) + past,
        start + std::chrono::duration_cast<std::chrono::milliseconds>(past)};
}

CallRecord call(std::string_view provider, Outcome outcome)
{
    CallRecord record;
    record.requestId = "r-1";
    record.taskType = "review";
    record.model = "glm";
    record.provider = provider;
    record.route = record.provider + "/zai/GLM@us";
    record.stream = true;
    record.startedAt = at(0).utc;
    record.durationMs = 1000;
    record.outcome = outcome;
    record.eligibleMask = 0b11;
    if (!isSuccess(outcome)) return record;
    record.ttftMs = 500;
    record.usage.inputUncached = 1000;
    record.usage.output = 101;
    record.costMicroUsd = 822;
    record.last = true;
    return record;
}

World::World()
    : config(std::make_shared<Config>())
    , control(std::make_shared<Control>())
{
    config->agent.service = "code-review";
    config->agent.clientKeys = {Secret(std::string(kCanary))};
    config->agent.adminToken = Secret(std::string(kCanary));
    ModelConfig model;
    model.name = "glm";
    model.fixedOrder = {"fireworks", "baseten"};
    for (const char* name : {"baseten", "fireworks"}) {
        ProviderConfig provider;
        provider.name = name;
        provider.apiKey = Secret(std::string(kCanary));
        config->providers.emplace(name, provider);
        RouteConfig route;
        route.provider = name;
        route.upstreamModel = "zai/GLM";
        route.region = "us";
        model.routes.push_back(route);
    }
    config->models.emplace("glm", model);
    control->effectiveMode = EffectiveMode::Fixed;
    control->modeReason = "switch";
    control->storeReachable = true;
    control->decisions.emplace();
    control->decisions->settings = standardSettings();
    control->decisions->settings.version = 7;
    control->decisions->routingSwitch.version = 3;
    control->decisions->routingSwitch.reason = "first start";
    control->decisions->routingSwitch.updatedBy = "weir-agent";
    control->decisions->routingSwitch.updatedAt = at(-60).utc;
}

Sources World::sources()
{
    Sources sources;
    sources.agentId = "agent-1";
    sources.host = "host-1";
    sources.version = "0.1.0";
    sources.config = [this] { return config; };
    sources.control = [this] { return control; };
    sources.agents = [] { return std::vector<AgentPresence>{}; };
    sources.routes = [this] { return routes; };
    sources.failover = [this] { return failover; };
    sources.summary = [this] { return summary; };
    sources.ledger = [this] { return ledger; };
    sources.budgets = [this] {
        return std::make_shared<const std::vector<routing::BudgetStatus>>(budgets);
    };
    sources.clientConnections = [] { return std::int64_t{4}; };
    sources.draining = [this] { return draining; };
    sources.alerts = [this] { return alerts; };
    sources.drills = [this](Instant) { return drills; };
    return sources;
}

} // namespace weir::admin
