// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/gate_scene.h"

#include <cstdint>
#include <vector>

namespace weir::routing {

/// Demand seen within the last 5 s; agents that have been silent for longer are forgotten.
[[nodiscard]] GateScene sceneOf(GateState& state, std::int64_t nowMs, const GateParams& params);

/// min(R, L), never below the floor, never above the quota.
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
