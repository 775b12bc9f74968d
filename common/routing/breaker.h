// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/aimd.h"

#include <cstdint>
#include <vector>

namespace weir::routing {

/// Remembers which cohorts had failures reported since the last look.
void noteFailures(BreakerMemory& breaker, const Cohort& cohort);

/// Once a second: opens, half-opens, closes (routing.md section 6).
void advanceBreaker(
    GateState& state,
    const GateScene& scene,
    std::int64_t atMs,
    const GateParams& params,
    std::vector<GateEvent>& events);

/// Frees what the agent no longer holds: it reports how many of its probes are in flight.
void settleProbes(BreakerMemory& breaker, const GateReport& report);

/// Probes that this agent may send now; at most three in flight in the fleet.
[[nodiscard]] std::int32_t grantProbes(
    GateState& state,
    const GateScene& scene,
    std::uint32_t agent,
    std::int64_t nowMs,
    const GateParams& params);

} // namespace weir::routing
