// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/agent_gate.h"
#include "common/routing/demand_meter.h"
#include "common/routing/pins.h"
#include "common/routing/retry_budget.h"
#include "common/sim/route_shape.h"

#include <cstdint>
#include <vector>

namespace weir::sim {

/// One agent's own memory: what a restart loses.
struct SimAgent
{
    /// By model and route.
    std::vector<std::vector<routing::AgentGate>> gates;
    /// By model: what was asked for, whichever route took it.
    std::vector<routing::DemandMeter> demand;
    Micros syncedAt = 0;
    /// Without answers since; -1 = answered.
    Micros localSince = -1;
    routing::PinTable pins{0};
    routing::RetryBudget budget;
    /// Starts so far: attempts of an earlier life are no news to this one.
    std::uint32_t life = 0;
};

} // namespace weir::sim
