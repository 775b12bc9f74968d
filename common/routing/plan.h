// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/summary.h"
#include "common/routing/pool_setup.h"

#include <cstdint>
#include <span>

namespace weir::routing {

/// No arm gets more than this of the tasks that may explore (routing.md section 7); ppm.
inline constexpr std::int64_t kExploreMaxPpm = 150'000;

/// From figures to traffic, in the summary job: who may be compared, scores, ranks, leader, shares
/// with their ramp, exploration (routing.md sections 1, 7, 8). `next` holds the freshly learned
/// figures of the pool and is completed in place; `previous` is the same pool in the summary
/// before, null where there was none. `setup.routes` and `next.routes` have the same order.
void planPool(
    const PoolSummary* previous,
    PoolSummary& next,
    const PoolSetup& setup,
    const RoutingPolicy& policy,
    std::int64_t nowMs);

/// What the planner would have made of the same figures under another policy: the answer to "what
/// if?". `previous` is the same made of the summary before, so that margins and ramps follow each
/// other as they would have; null for the first.
[[nodiscard]] PoolSummary replan(
    const PoolSummary* previous,
    const PoolSummary& saved,
    const RoutingPolicy& policy,
    std::int64_t computedAtMs);

/// The share of route `index` at `nowMs`, between the two ends of the ramp; ppm.
[[nodiscard]] std::int64_t shareAt(const PoolSummary& pool, std::size_t index, std::int64_t nowMs);

} // namespace weir::routing
