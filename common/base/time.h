// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir {

using Duration = std::chrono::nanoseconds;

/// The monotonic time line. It has no now(): time is handed in, so that everything that decides can
/// run on a virtual clock. The doors to the real clocks are in agent/net/clock.h.
struct MonotonicTimeline
{
    using duration = Duration;
    using rep = Duration::rep;
    using period = Duration::period;
    using time_point = std::chrono::time_point<MonotonicTimeline, Duration>;
    static constexpr bool is_steady = true;
};

/// A point on the monotonic time line; only differences mean anything.
using Instant = MonotonicTimeline::time_point;

/// Wall-clock time, UTC, to the millisecond: what stands in the ledger.
using UtcTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// "2026-11-30T10:15:00.123Z" (RFC 3339, always UTC, always milliseconds).
[[nodiscard]] std::string toIso(UtcTime time);

/// Reads RFC 3339 with `Z` or an offset, fraction optional. Error code "bad_time".
[[nodiscard]] Result<UtcTime> parseIso(std::string_view text);

[[nodiscard]] constexpr std::int64_t epochMs(UtcTime time)
{
    return time.time_since_epoch().count();
}

[[nodiscard]] constexpr UtcTime fromEpochMs(std::int64_t ms)
{
    return UtcTime{std::chrono::milliseconds{ms}};
}

} // namespace weir
