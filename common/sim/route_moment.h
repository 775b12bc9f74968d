// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/gate_view.h"

#include <cstdint>

namespace weir::sim {

/// A route of a pool, as state at one moment.
struct RouteMoment
{
    bool known = false;
    std::int64_t permittedMilliRps = 0;
    std::int64_t capMilliRps = -1;
    BreakerState breaker = BreakerState::Closed;
    HoldKind hold = HoldKind::None;
    int rank = 0;
    std::int64_t score = 0;
};

/// What the gate of a route did, for those who judge a run.
struct GateCounts
{
    std::uint64_t cuts = 0;
    std::uint64_t breakerOpened = 0;
    std::uint64_t holdsSet = 0;
    std::uint64_t capsLearned = 0;
    /// Probes in flight at one moment, of all agents.
    std::uint64_t probesMost = 0;
};

} // namespace weir::sim
