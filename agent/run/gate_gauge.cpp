// SPDX-License-Identifier: Apache-2.0
#include "agent/run/gate_gauge.h"

#include <algorithm>

namespace weir::run {
namespace {

/// Longer than an attempt lasts that ended at its limit.
constexpr std::chrono::milliseconds kProbeSlack{2000};

std::string_view gateWord(const fleet::GateGauge& gate)
{
    if (!gate.view.aboveFloor) return "floor";
    if (gate.cut) return "cut";
    return gate.recovering ? "recovering" : "open";
}

/// As an outcome word, which is what people know from the ledger.
std::string_view holdWord(HoldKind hold)
{
    switch (hold) {
    case HoldKind::Credit:
        return toWord(Outcome::NoCredit);
    case HoldKind::Auth:
        return toWord(Outcome::Auth);
    case HoldKind::Misconfigured:
        return toWord(Outcome::ModelUnavailable);
    case HoldKind::RetryAfter:
        return toWord(Outcome::RateLimited);
    case HoldKind::None:
        break;
    }
    return {};
}

void setGate(admin::RouteGauge& route, const fleet::GateGauge& gate, UtcTime now)
{
    const GateView& view = gate.view;
    route.gate = gateWord(gate);
    route.breaker = toWord(view.breaker);
    route.cuts = gate.cuts;
    if (view.version > 0) {
        route.permittedMilliRps = view.permittedMilliRps;
        if (view.capMilliRps >= 0) {
            route.capMilliRps = view.capMilliRps;
            route.permittedMilliRps = std::min(view.permittedMilliRps, view.capMilliRps);
        }
    }
    const bool rests = view.hold != HoldKind::None || view.breaker == BreakerState::Open;
    if (!rests) return;
    route.benchedUntil = now + std::chrono::milliseconds{view.recoversInMs};
    route.benchReason = holdWord(view.hold);
}

} // namespace

std::vector<admin::RouteGauge> routeGauges(
    const proxy::Runtime& runtime,
    const std::map<fleet::RouteStates::Key, fleet::GateGauge>& gates,
    UtcTime now)
{
    std::vector<admin::RouteGauge> gauges;
    for (const auto& [name, model] : runtime.models) {
        for (const proxy::RouteRuntime& route : model.routes) {
            admin::RouteGauge& gauge = gauges.emplace_back();
            gauge.model = name;
            gauge.provider = route.config.provider;
            gauge.inFlight = route.state->inFlight();
            gauge.waiting = route.state->room().waiting();
            const auto gate = gates.find({name, route.config.provider});
            if (gate != gates.end()) setGate(gauge, gate->second, now);
        }
    }
    return gauges;
}

routing::GateParams gateParams(const Config& config)
{
    std::chrono::milliseconds longest{0};
    for (const auto& [name, provider] : config.providers) {
        longest = std::max<std::chrono::milliseconds>(longest, provider.ttftTimeout);
    }
    routing::GateParams params;
    params.firstOpenMs = std::chrono::milliseconds{config.timing.breakerOpen}.count();
    params.probeTtlMs = (longest + kProbeSlack).count();
    return params;
}

} // namespace weir::run
