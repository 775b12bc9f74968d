// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/samples.h"

#include <cmath>

namespace weir::test {
namespace {

RouteStatus route(const std::string& provider, int rank, double share, double rps)
{
    RouteStatus route;
    route.provider = provider;
    route.route = provider + "/zai-org/GLM-5.2@us";
    route.rank = rank;
    route.share1m = share;
    route.rps1m = rps;
    const auto attempts = static_cast<std::int64_t>(std::llround(rps * 60.0));
    if (attempts == 0) return route;
    route.errorRate1m = 0.0;
    route.outcomes1m = {{"ok", attempts}};
    route.costMicroUsd1m = attempts * 420;
    return route;
}

RouteStatus measured(RouteStatus route, double ttftMs, double tokensPerS, std::int64_t inFlight)
{
    route.ttftMs = {ttftMs, ttftMs * 1.9};
    route.tokensPerS.p50 = tokensPerS;
    route.inFlight = inFlight;
    return route;
}

RouteSlice
slice(UtcTime start, const std::string& provider, std::int64_t attempts, std::int64_t ttftUs)
{
    RouteSlice slice;
    slice.start = start;
    slice.model = "glm-5.2";
    slice.provider = provider;
    slice.attempts = attempts;
    slice.costMicroUsd = attempts * 420;
    slice.ttftUs.add(ttftUs, static_cast<std::uint64_t>(attempts));
    return slice;
}

} // namespace

UtcTime sampleTime()
{
    return fromEpochMs(1'796'033'700'000);
}

AgentStatus sampleStatus()
{
    AgentStatus status;
    status.agentId = "agent-1";
    status.version = "0.1.0";
    status.service = "code-review";
    status.host = "devbox";
    status.at = sampleTime();
    status.mode = Mode::Fixed;
    status.effectiveMode = EffectiveMode::Fixed;
    status.modeReason = "switch";
    status.switchReason = "429 storm";
    status.switchBy = "maria";
    status.switchAt = sampleTime() - std::chrono::minutes{12};
    status.switchVersion = 41;
    status.settingsVersion = 7;
    status.requestsPerS1m = 12.3;
    ModelStatus model;
    model.name = "glm-5.2";
    model.leader = {{"default", "baseten"}};
    model.routes = {
        measured(route("baseten", 1, 0.93, 11.6), 640.0, 71.2, 17),
        measured(route("fireworks", 2, 0.07, 0.9), 830.0, 64.0, 3),
        route("coreweave", 3, 0.0, 0.0)};
    status.models = {model};
    return status;
}

AgentStatus troubledStatus()
{
    AgentStatus status = sampleStatus();
    RouteStatus& baseten = status.models[0].routes[0];
    baseten.benchedUntil = sampleTime() + std::chrono::seconds{24};
    baseten.benchReason = "rate_limited";
    baseten.errorRate1m = 0.9;
    baseten.rateLimited1m = 53;
    baseten.outcomes1m = {{"ok", 6}, {"rate_limited", 53}, {"server_error", 7}};
    baseten.ttftMs = {};
    baseten.share1m = 0.08;
    baseten.rps1m = 1.1;
    status.models[0].leader = {{"default", "fireworks"}};
    status.models[0].routes[1] = measured(route("fireworks", 2, 0.92, 11.2), 5300.0, 83.0, 31);
    status.alerts = {
        {"auth",
         "coreweave/zai-org/GLM-5.2@us",
         sampleTime() - std::chrono::minutes{5},
         "coreweave refuses the key; check the provider's key variable"}};
    return status;
}

AgentStateRow
agentRow(const std::string& id, EffectiveMode mode, std::int64_t version, UtcTime seenAt)
{
    AgentStateRow row;
    row.agentId = id;
    row.service = "code-review";
    row.host = "devbox";
    row.effectiveMode = mode;
    row.modeReason = "switch";
    row.switchVersion = version;
    row.settingsVersion = 7;
    row.appliedAt = seenAt;
    row.seenAt = seenAt;
    return row;
}

std::vector<RouteSlice> sampleSlices()
{
    std::vector<RouteSlice> slices;
    for (int step = 360; step > 0; --step) {
        const UtcTime start = sampleTime() - std::chrono::seconds{10} * step;
        const bool isStorm = step > 42 && step < 70;
        const auto wave = static_cast<std::int64_t>(60'000.0 * std::sin(step / 9.0));
        slices.push_back(
            slice(start, "baseten", isStorm ? 30 : 108, (isStorm ? 2'400'000 : 640'000) + wave));
        if (isStorm) {
            slices.back().failures = 12;
            slices.back().rateLimited = 11;
        }
        slices.push_back(slice(start, "fireworks", isStorm ? 70 : 9, 830'000 + wave / 2));
        if (isStorm) slices.push_back(slice(start, "coreweave", 18, 1'150'000 - wave));
    }
    return slices;
}

RoutingSwitch switchRow(Mode mode, std::int64_t version, const std::string& by, UtcTime at)
{
    RoutingSwitch row;
    row.mode = mode;
    row.version = version;
    row.reason = "429 storm";
    row.updatedBy = by;
    row.updatedHost = "devbox";
    row.updatedAt = at;
    return row;
}

} // namespace weir::test
