// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/gate_scene.h"

#include <cstdint>
#include <vector>

namespace weir::routing {

void noteLatency(LatencyMemory& latency, const GateReport& report);

/// Slower than 1.3 times usual: not the moment to raise L.
[[nodiscard]] bool isSlowish(const LatencyMemory& latency);

/// Once a minute: two minutes with more than twice the usual time to first output, at a load above
/// what was lately answered in time, teach L = 90 % of what was delivered (routing.md section 10).
/// A slowdown at a load that was fine before is not the load's doing and teaches nothing.
void watchLatency(
    GateState& state,
    const GateScene& scene,
    std::int64_t usedMicro,
    std::int64_t atMs,
    std::vector<GateEvent>& events);

} // namespace weir::routing
