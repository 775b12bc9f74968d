// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/decision.h"
#include "common/routing/pool_view.h"
#include "common/routing/score.h"

#include <array>
#include <cstdint>

namespace weir::routing {

/// The eligible routes in the order in which they are preferred, gates aside.
struct Preference
{
    StaticVector<std::uint8_t, kRoutesMax> order;
    /// By route: why it stands there.
    StaticVector<ReasonCode, kRoutesMax> codes;
    /// By route, in 1e-9, over the eligible ones.
    StaticVector<std::int64_t, kRoutesMax> scores;
    StaticVector<bool, kRoutesMax> slow;
    /// What the caller is told where the first of `order` serves.
    Reason firstReason = Reason::Fixed;
};

/// The configured order: eligible routes by their fixed position.
[[nodiscard]] Preference preferConfigured(const DecisionInput& input);

/// By score: leader, others, routes without a sample, flagged ones, slow ones (routing.md section
/// 1). Falls back to the configured order where nothing can be compared. Ties are in random order,
/// the same for all calls of a task.
[[nodiscard]] Preference preferScored(const PoolView& pool, const DecisionInput& input);

/// By what the caller asked for: its own order of providers first, then price or speed.
[[nodiscard]] Preference preferAsAsked(const PoolView& pool, const DecisionInput& input);

/// In the reference set that others are measured by (routing.md section 1): eligible, sampled, of
/// quality, breaker closed, no hold, rate above the sampling floor.
[[nodiscard]] bool comparable(const RouteOption& option, const RouteFigures* figures);

/// By route: what the scores over the eligible ones are made of.
[[nodiscard]] StaticVector<Standing, kRoutesMax>
standingsOf(const PoolView& pool, const DecisionInput& input);

/// Moves `route` to the front.
void putFirst(Preference& preference, std::uint8_t route, ReasonCode code, Reason reason);

} // namespace weir::routing
