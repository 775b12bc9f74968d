// SPDX-License-Identifier: Apache-2.0
#include "common/routing/gate_event.h"

namespace weir::routing {

std::string_view toWord(GateEventKind kind)
{
    switch (kind) {
    case GateEventKind::Cut:
        return "gate_cut";
    case GateEventKind::GrowthRestarted:
        return "growth_restarted";
    case GateEventKind::SlowStartEnded:
        return "slow_start_ended";
    case GateEventKind::MemoryLearned:
        return "memory_learned";
    case GateEventKind::BreakerOpened:
        return "breaker_opened";
    case GateEventKind::BreakerHalfOpened:
        return "breaker_half_opened";
    case GateEventKind::BreakerClosed:
        return "breaker_closed";
    case GateEventKind::HoldSet:
        return "hold_set";
    case GateEventKind::HoldReleased:
        return "hold_released";
    case GateEventKind::CapLearned:
        return "cap_learned";
    case GateEventKind::CapRaised:
        return "cap_raised";
    case GateEventKind::CapForgotten:
        return "cap_forgotten";
    case GateEventKind::UnloadedRateLimit:
        return "unloaded_429";
    }
    return "gate_cut";
}

} // namespace weir::routing
