// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/call_fact.h"
#include "common/model/route_figures.h"
#include "common/routing/route_history.h"

#include <cstdint>
#include <optional>

namespace weir::routing {

/// Two tokens where the estimate has one, for routes of which too little is known: more than any
/// text, code or JSON comes to with the vocabularies in use; long runs of digits have 1.8, only
/// hexadecimal and base64 more (2.3 to 2.7).
inline constexpr std::int64_t kUnlearnedBoundPpm = 2'000'000;
/// A bound is learned from so many prompts on: with fewer, the largest seen still leaves one prompt
/// in fifty above it.
inline constexpr std::int64_t kBoundSamplesMin = 50;
/// Shorter prompts say nothing here: the words that a provider puts around each weigh more than
/// they do, and they fit everywhere.
inline constexpr std::int64_t kBoundEstimateMin = 1000;

/// The bound that holds, learned or not.
[[nodiscard]] inline std::int64_t boundPpm(const TokenBound& bound)
{
    return bound.boundPpm > 0 ? bound.boundPpm : kUnlearnedBoundPpm;
}

/// Tokens that the route reported over those that were estimated, as a slot of its history; nothing
/// where one of them is not known, or was estimated itself.
[[nodiscard]] std::optional<std::uint32_t> tokenSlot(const CallFact& fact);

/// The bound as of minute `head`, from all samples of the history: 99.5 % of the prompts have no
/// more than it, times 1.1; of fewer than 200 that is the largest. One overflow in two hundred
/// costs a refused attempt, which costs next to nothing; a bound that had to hold for the oddest
/// prompt of all would keep the others from routes where they fit. The margin is for texts of a
/// kind that was not among the samples, and wider than the sketch's error.
///
/// An overrun is a sample above the bound that the samples before it gave, as of every five
/// minutes: nothing but the history says so, and it is the same after a restart.
[[nodiscard]] TokenBound learnTokenBound(const RouteHistory& history, std::int64_t head);

} // namespace weir::routing
