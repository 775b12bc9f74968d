// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace weir::routing {

/// An agent's part of what all share, smoothed: what it asks for scatters from one answer to the
/// next, and the part may have to last. The first answers count for little, as they may be of a
/// gate that does not know all agents yet.
struct ShareMeter
{
    static constexpr std::int64_t kOverMs = 15'000;

    std::int64_t ppm = 1'000'000;
    /// Of the answers so far.
    std::int64_t ageMs = 0;

    void heard(std::int64_t sharePpm, std::int64_t elapsedMs)
    {
        ageMs += std::clamp<std::int64_t>(elapsedMs, 1, kOverMs);
        const std::int64_t over = std::clamp<std::int64_t>(ageMs / 2, 1, kOverMs);
        const std::int64_t since = std::clamp<std::int64_t>(elapsedMs, 1, over);
        ppm += (sharePpm - ppm) * since / over;
    }
};

} // namespace weir::routing
