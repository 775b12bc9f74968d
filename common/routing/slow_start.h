// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/aimd.h"

namespace weir::routing {

/// A route that has never been used begins with 2 % of the demand and doubles once a minute while
/// it is used and clean, until it has once carried the sampling share (routing.md section 4).
void slowStart(
    GateState& state, const GateScene& scene, std::int64_t atMs, std::vector<GateEvent>& events);

} // namespace weir::routing
