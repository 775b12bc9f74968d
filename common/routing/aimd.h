// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/route_gate.h"

#include <cstdint>
#include <vector>

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
    /// Lowest rate of all, and the rate at which a route is merely sampled.
    std::int64_t floor = 0;
    std::int64_t sampling = 0;
};

/// Demand seen within the last 5 s; agents that have been silent for longer are forgotten.
[[nodiscard]] GateScene sceneOf(GateState& state, std::int64_t nowMs);

/// min(R, L), never below the floor.
[[nodiscard]] std::int64_t limitOf(const GateState& state, const GateScene& scene);

/// Sets R within its bounds; a change is a new version.
void setRate(GateState& state, const GateScene& scene, std::int64_t rateMicro);

/// Measures the use and lets its peak decay. `atMs` is a whole second.
void measureUse(GateState& state, std::int64_t atMs, std::int64_t epochs);

/// CUT of routing.md section 4.
void cutIfDue(
    GateState& state, const GateScene& scene, std::int64_t atMs, std::vector<GateEvent>& events);

/// EPOCH of routing.md section 4.
void growIfDue(
    GateState& state,
    const GateScene& scene,
    std::int64_t atMs,
    std::int64_t epochs,
    std::vector<GateEvent>& events);

} // namespace weir::routing
