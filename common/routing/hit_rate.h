// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/route_figures.h"

#include <cstdint>
#include <span>

namespace weir::routing {

/// What a route has done of its pool's calls.
struct HitObservation
{
    /// Last 5 minutes: its calls, the pool's.
    std::int64_t calls5m = 0;
    std::int64_t poolCalls5m = 0;
    /// Input tokens read from cache, and all, of the last 15 minutes and the 15 before.
    std::int64_t cached15m = 0;
    std::int64_t input15m = 0;
    std::int64_t cachedBefore = 0;
    std::int64_t inputBefore = 0;
    std::int64_t calls30m = 0;
    /// Of 48 hours.
    std::int64_t cached48h = 0;
    std::int64_t input48h = 0;
    /// The learned cap is what keeps it from more.
    bool capped = false;
};

/// How much a steady state of that age still says, in ppm: 1 for a week, then half less every two.
[[nodiscard]] std::int64_t hitWeightPpm(std::int64_t ageMs);

/// Follows one route's steady states (routing.md section 2): half of the pool's calls (30 % where
/// its cap keeps it from more) for 45 minutes on end, the first 15 dropped, 200 calls in the last
/// 30, and a hit rate that no longer moves. Fills everything but the pool's rate and what follows.
[[nodiscard]] HitRate nextHitRate(
    const HitRate& previous,
    const HitObservation& seen,
    std::int64_t nowMs,
    std::int64_t previousMs);

/// The pool's rate, and the rate that each route is priced with: its own of the last steady state,
/// fading to the pool's. `observedPpm` serves where nobody ever led.
void settleHitRates(std::span<HitRate* const> routes, std::int64_t observedPpm);

} // namespace weir::routing
