// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/price.h"
#include "common/model/summary.h"

#include <cstdint>
#include <optional>

namespace weir::routing {

/// What the pool's standard task would cost at a route, in nano-dollars, rounded once: at the hit
/// rate that it is priced with instead of the one that its share of the traffic gives it
/// (routing.md section 2). Input that is not read from cache is either written to it or plain; the
/// classes are disjoint as on the bill. 0 = the price is unknown, or nothing was measured.
[[nodiscard]] std::int64_t standardTaskCost(
    const PoolSummary& pool, const RouteFigures& route, const std::optional<Price>& price);

} // namespace weir::routing
