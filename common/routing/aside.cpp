// SPDX-License-Identifier: Apache-2.0
#include "common/routing/aside.h"

#include "common/routing/philox.h"

namespace weir::routing {

bool admitsAside(const GateView& gate, std::uint32_t draw)
{
    const bool isHeld = gate.hold != HoldKind::None;
    if (isHeld || gate.breaker != BreakerState::Closed) {
        return gate.probeFree && (isHeld || gate.breaker == BreakerState::HalfOpen);
    }
    const std::int64_t chance = gate.admitPpm.at(static_cast<std::size_t>(GateClass::Batch));
    return gate.guardOpen && happens(draw, chance);
}

} // namespace weir::routing
