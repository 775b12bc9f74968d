// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/proxy/route_choice.h"
#include "common/model/decision_input.h"
#include "common/routing/pool_view.h"

namespace weir::proxy {

/// Decides, with the breaker of a route open in `input` where a drill says so and another route may
/// serve. `choice` gets the decision, and the drill where it moved the request off its route.
void decideDrilled(
    const ChoiceContext& context,
    const routing::PoolView& pool,
    DecisionInput& input,
    Choice& choice);

} // namespace weir::proxy
