// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/policy.h"
#include "common/model/route_figures.h"

#include <cstdint>
#include <span>

namespace weir::routing {

/// 1.0 as a score.
inline constexpr std::int64_t kScoreOne = 1'000'000'000;

/// One route on its way to a score. Figures of 0 are unknown.
struct Standing
{
    std::int64_t costNanoUsd = 0;
    std::int64_t timeUs = 0;
    std::int64_t ttftUs = 0;
    std::int64_t failurePpm = 0;
    std::int64_t failedCostNanoUsd = 0;
    std::int64_t failedTimeUs = 0;
    std::int64_t biasPpm = kPpm;
    /// May be compared with others: eligible, sampled, of quality, breaker closed, no hold, rate
    /// above the sampling floor.
    bool trusted = false;

    /// Results.
    bool slow = false;
    std::int64_t score = 0;
    /// What the score was summed up from before the bias; 0 where it is not made of parts.
    std::int64_t costPart = 0;
    std::int64_t speedPart = 0;
};

[[nodiscard]] Standing standingOf(const RouteFigures& figures, std::int64_t biasPpm, bool trusted);

/// Fills in `slow` and `score` (routing.md section 1). The fastest trusted route is the measure of
/// slowness; slow ones are out before the cheapest is looked for, so that a route that nobody
/// should use cannot move the order of the others. All scores are 0 where nothing is trusted.
/// Properties: scaling all costs or all times changes nothing; a lower cost or time never lowers
/// the own score; slow and untrusted routes change nobody else's.
void score(std::span<Standing> routes, const RoutingPolicy& policy);

} // namespace weir::routing
