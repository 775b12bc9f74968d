// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/pool_view.h"

#include <cstdint>

namespace weir::routing {

/// How long an attempt may wait for its first output: 0.2 above the factor from which a route is
/// slow (under it, slowness would hide behind the limit and never be seen) times the fastest, and
/// at least 1.5 times the route's p99, or the limit would cut healthy calls (routing.md sections 9
/// and 18). `fastestUs` > 0: the fastest comparable route's time for a mean answer, microseconds.
[[nodiscard]] std::int64_t
ttftLimitUs(const RouteFigures& figures, std::int64_t fastestUs, const RoutingPolicy& policy);

/// With less time left than this it is of no use to try the route: its median TTFT and, where the
/// answer comes whole, half of the time to write one (section 9, `min_useful`). Microseconds; 0 =
/// nothing is known.
[[nodiscard]] std::int64_t usefulUs(const PoolView& pool, std::size_t route, bool stream);

} // namespace weir::routing
