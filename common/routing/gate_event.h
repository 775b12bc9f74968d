// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/gate_view.h"

#include <cstdint>
#include <string_view>

namespace weir::routing {

enum class GateEventKind : std::uint8_t {
    Cut,
    GrowthRestarted,
    SlowStartEnded,
    MemoryLearned,
    BreakerOpened,
    BreakerHalfOpened,
    BreakerClosed,
    HoldSet,
    HoldReleased,
    CapLearned,
    CapRaised,
    CapForgotten,
    /// 429s that came whatever the load: the cap was wrong and is gone.
    UnloadedRateLimit,
};
[[nodiscard]] std::string_view toWord(GateEventKind kind);

/// A change of the gate, for the log and the incidents. It goes to the agent whose message came
/// when it was seen. Rates in thousandths of a request per second: the permitted rate, or the cap.
struct GateEvent
{
    GateEventKind kind = GateEventKind::Cut;
    std::int64_t atMs = 0;
    std::int64_t beforeMilliRps = -1;
    std::int64_t afterMilliRps = -1;
    std::int64_t usedMilliRps = -1;
    /// The evidence: attempts, and those of them that failed, 429s included.
    std::int64_t attempts = 0;
    std::int64_t failures = 0;
    HoldKind hold = HoldKind::None;

    bool operator==(const GateEvent&) const = default;
};

} // namespace weir::routing
