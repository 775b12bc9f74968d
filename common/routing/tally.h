// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/histogram.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace weir::routing {

/// What is counted of calls. Everything is a count or an integer sum, so that adding and taking
/// away are exact and the order never shows.
enum class Sum : std::uint8_t {
    Attempts,
    Successes,
    RateLimited,
    Errors,
    Malformed,
    Neutral,
    SingleShot,
    InputUncached,
    InputCached,
    CacheWrite,
    Output,
    OutputCalls,
    InputCalls,
    FailedTries,
    FailedMicroUsd,
    FailedUs,
    Tasks,
    TaskInput,
    TaskOutput,
    TaskCalls,
    /// The first of `kKnownCells` sums: cached share of the input in ppm, of the TTFT samples.
    CachedShare,
};

/// TTFT samples by cached share of the input (cold below 50 %, warm) and size of the prompt.
inline constexpr std::size_t kSizes = 4;
inline constexpr std::size_t kKnownCells = 2 * kSizes;
/// Calls whose tokens nobody knows: most timeouts.
inline constexpr std::size_t kUnknownCell = kKnownCells;
inline constexpr std::size_t kCells = kKnownCells + 1;
inline constexpr std::size_t kSums = static_cast<std::size_t>(Sum::CachedShare) + kKnownCells;

struct Sums
{
    std::array<std::int64_t, kSums> values{};

    [[nodiscard]] std::int64_t& operator[](Sum sum)
    {
        return values[static_cast<std::size_t>(sum)];
    }

    [[nodiscard]] std::int64_t operator[](Sum sum) const
    {
        return values[static_cast<std::size_t>(sum)];
    }

    [[nodiscard]] std::int64_t& cachedShare(std::size_t cell)
    {
        return values[static_cast<std::size_t>(Sum::CachedShare) + cell];
    }

    [[nodiscard]] std::int64_t cachedShare(std::size_t cell) const
    {
        return values[static_cast<std::size_t>(Sum::CachedShare) + cell];
    }

    Sums& operator+=(const Sums& other)
    {
        for (std::size_t i = 0; i < kSums; ++i)
            values[i] += other.values[i];
        return *this;
    }

    Sums& operator-=(const Sums& other)
    {
        for (std::size_t i = 0; i < kSums; ++i)
            values[i] -= other.values[i];
        return *this;
    }

    bool operator==(const Sums&) const = default;
};

/// One histogram over all samples of a route: a slot is a family of samples and a level of the
/// integer sketch (routing.md section 0). Levels end at 2^31, some 36 minutes in microseconds.
inline constexpr std::size_t kLevels = 1664;
/// Families: TTFT by cell, TTFT cut short (at least that slow) by cell, decode rate, tokens over
/// estimated tokens (ppm), tasks.
inline constexpr std::size_t kCutFamily = kCells;
inline constexpr std::size_t kRateFamily = 2 * kCells;
inline constexpr std::size_t kTokenFamily = kRateFamily + 1;
inline constexpr std::size_t kTaskFamily = kTokenFamily + 1;
inline constexpr std::size_t kSlots = (kTaskFamily + 1) * kLevels;

[[nodiscard]] inline std::uint32_t slotOf(std::size_t family, std::int64_t value)
{
    const std::size_t level = std::min(histogramIndex(value), kLevels - 1);
    return static_cast<std::uint32_t>(family * kLevels + level);
}

/// `count` samples in one slot.
struct Sample
{
    std::uint32_t slot = 0;
    std::uint32_t count = 0;

    bool operator==(const Sample&) const = default;
};

} // namespace weir::routing
