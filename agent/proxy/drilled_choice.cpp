// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/drilled_choice.h"

#include "common/routing/decide.h"

#include <algorithm>

namespace weir::proxy {
namespace {

bool isEligible(const RouteOption& option)
{
    return option.exclusion == Exclusion::None;
}

std::int64_t msUntil(Instant end, Instant now)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(end - now).count();
}

} // namespace

void decideDrilled(
    const ChoiceContext& context,
    const routing::PoolView& pool,
    DecisionInput& input,
    Choice& choice)
{
    choice.decision = routing::decide(pool, input);
    const fleet::DrillList& drills = context.service.drills();
    // A measurement is neither moved nor made worse.
    if (drills.empty() || context.identity.eval) return;
    const auto& routes = context.model.routes;
    for (std::size_t i = 0; i < routes.size(); ++i) {
        const auto drill =
            fleet::drillOn(drills, context.model.name, routes[i].config.provider, context.now);
        if (!drill || drill->row().kind != DrillKind::Breaker) continue;
        if (!isEligible(input.routes[i])) continue;
        const bool wanted = choice.decision.candidates[0].route == i;
        if (std::count_if(input.routes.begin(), input.routes.end(), isEligible) > 1) {
            GateView& gate = input.routes[i].gate;
            gate.breaker = BreakerState::Open;
            gate.probeFree = false;
            gate.recoversInMs = std::max(gate.recoversInMs, msUntil(drill->endsAt(), context.now));
            choice.decision = routing::decide(pool, input);
        }
        if (!wanted) continue;
        if (choice.decision.candidates[0].route == i) {
            drill->spared();
        } else {
            choice.drill = drill;
        }
    }
}

} // namespace weir::proxy
