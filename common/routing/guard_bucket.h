// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace weir::routing {

/// Bounds what one agent may send to a route in a burst, whatever the coins say (routing.md section
/// 5): two seconds' worth of its rate, two requests at least. Millionths of a request.
struct GuardBucket
{
    static constexpr std::int64_t kOne = 1'000'000;

    std::int64_t rateMicro = 0;
    std::int64_t tokensMicro = 2 * kOne;
    std::int64_t atMs = 0;

    [[nodiscard]] std::int64_t depthMicro() const { return std::max(2 * kOne, 2 * rateMicro); }

    [[nodiscard]] std::int64_t tokensAt(std::int64_t nowMs) const
    {
        const std::int64_t elapsed = std::clamp<std::int64_t>(nowMs - atMs, 0, 60'000);
        const std::int64_t grown = rateMicro / 1000 * elapsed + rateMicro % 1000 * elapsed / 1000;
        return std::min(depthMicro(), tokensMicro + grown);
    }

    [[nodiscard]] bool isOpen(std::int64_t nowMs) const { return tokensAt(nowMs) >= kOne; }

    bool take(std::int64_t nowMs)
    {
        tokensMicro = tokensAt(nowMs);
        atMs = std::max(atMs, nowMs);
        if (tokensMicro < kOne) return false;
        tokensMicro -= kOne;
        return true;
    }

    void setRate(std::int64_t micro, std::int64_t nowMs)
    {
        tokensMicro = tokensAt(nowMs);
        atMs = nowMs;
        rateMicro = micro;
        tokensMicro = std::min(tokensMicro, depthMicro());
    }
};

} // namespace weir::routing
