// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/reference.h"

#include <span>
#include <vector>

namespace weir::routing {

/// Histogram and sums that usual values are learned from.
struct LearnedFrom
{
    std::span<const std::uint32_t> slots;
    Sums sums;
};

/// The share of the time to the first output that a wholly cached prompt saves (0 to 0.9), by
/// comparing warm and cold calls of the same route and prompt size: TTFT = base * (1 - k * share).
/// Without evidence 0. One for the pool: so a route's own mix of warm and cold calls, which follows
/// from its share of the traffic, never makes it look faster than it is.
[[nodiscard]] double learnSpeedup(std::span<const LearnedFrom> routes);

/// The TTFT of each route for an uncached call of the pool's mix of prompt sizes, in microseconds:
/// from its cold calls, or from all where those are no full sample. Sizes that a route has seldom
/// seen are filled in with the pool's, times what the route is slower than the pool elsewhere.
/// 0 where nothing was measured.
[[nodiscard]] std::vector<double> standardLevels(std::span<const Reference> routes);

} // namespace weir::routing
