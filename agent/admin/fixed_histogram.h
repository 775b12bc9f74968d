// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace weir::admin {

/// A Prometheus histogram over fixed, rising upper bounds: counts only ever grow, as a counter
/// must. The last bucket takes what lies above every bound.
template <std::size_t N>
struct FixedHistogram
{
    std::array<std::uint64_t, N + 1> counts{};
    std::int64_t sum = 0;

    void add(std::int64_t value, const std::array<std::int64_t, N>& bounds)
    {
        const auto found = std::lower_bound(bounds.begin(), bounds.end(), value);
        ++counts[static_cast<std::size_t>(found - bounds.begin())];
        sum += value;
    }
};

/// Milliseconds to the first output.
inline constexpr std::array<std::int64_t, 13> kTtftBoundsMs = {
    50, 100, 250, 500, 1000, 2000, 3000, 5000, 10000, 20000, 30000, 60000, 120000};

/// The bounds that OpenTelemetry's semantic conventions for generative AI advise for
/// `gen_ai.client.operation.duration`, in milliseconds.
inline constexpr std::array<std::int64_t, 14> kDurationBoundsMs = {
    10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240, 20480, 40960, 81920};

/// The same source's bounds for `gen_ai.client.token.usage`.
inline constexpr std::array<std::int64_t, 14> kTokenBounds = {
    1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864};

} // namespace weir::admin
