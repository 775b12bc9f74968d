// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/gate_view.h"

#include <cstdint>

namespace weir::routing {

/// Whether a call that no user waits for may go to this route now: it has the last of what the gate
/// permits, in every mode, and where breaker or hold wait for a probe it may be that, since nobody
/// loses by its failure. `draw`: of the call's own coin.
[[nodiscard]] bool admitsAside(const GateView& gate, std::uint32_t draw);

} // namespace weir::routing
