// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/route_gate.h"

#include <array>
#include <cstdint>

namespace weir::routing {

/// What the fleet asks for, and what follows from it; micro-rps.
struct GateScene
{
    std::array<std::int64_t, kGateClasses> wants{};
    std::int64_t demand = 0;
    /// Demand of the whole model group.
    std::int64_t group = 0;
    int agentsWanting = 0;
    int agents = 0;
    /// Lowest rate of all (0 = `GuardingRules::rateFloor` is off), and the rate at which a route is
    /// merely sampled.
    std::int64_t floor = 0;
    /// And highest.
    std::int64_t most = kMicroMax;
    std::int64_t sampling = 0;
    /// What the route's quota allows; -1 = no limit that is known.
    std::int64_t quota = -1;
};

} // namespace weir::routing
