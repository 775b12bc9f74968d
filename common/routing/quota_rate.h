// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/gate_scene.h"

#include <cstdint>

namespace weir::routing {

/// What the fleet reported of its calls' size.
void note(QuotaMemory& memory, const GateReport& report);

/// Lets what was noted fade: half of it in some four minutes.
void fade(QuotaMemory& memory, std::int64_t epochs);

/// The quota as a rate: tokens by the size of calls, once that has been seen. -1 = no limit.
[[nodiscard]] std::int64_t quotaMicro(const Quota& quota, const QuotaMemory& memory);

/// One agent's part of a rate that all share: by its demand, and of what nobody asks for as much as
/// each other. The parts of all agents add up to the whole.
[[nodiscard]] std::int64_t
partPpm(const GateScene& scene, std::int64_t wholeMicro, std::int64_t wantMicro);

[[nodiscard]] Quota partOf(const Quota& quota, std::int64_t ppm);

} // namespace weir::routing
