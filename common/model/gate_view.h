// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir {

enum class BreakerState : std::uint8_t { Closed, Open, HalfOpen };
enum class HoldKind : std::uint8_t { None, RetryAfter, Credit, Auth, Misconfigured };
[[nodiscard]] std::string_view toWord(BreakerState state);
[[nodiscard]] std::string_view toWord(HoldKind kind);

/// Strict priority at the gate: the rate goes to earlier classes first (routing.md section 5).
enum class GateClass : std::uint8_t { Pinned, Fresh, Explore, Batch };
inline constexpr std::size_t kGateClasses = 4;

/// One route's gate as the decision sees it: values at this moment, no times to compare.
struct GateView
{
    /// Admission probability of each class.
    std::array<std::int32_t, kGateClasses> admitPpm{1'000'000, 1'000'000, 1'000'000, 1'000'000};
    /// The agent's own guard bucket has room for one more.
    bool guardOpen = true;
    BreakerState breaker = BreakerState::Closed;
    /// Half-open or on hold: this request may be the probe.
    bool probeFree = false;
    HoldKind hold = HoldKind::None;
    /// Until the hold ends, the breaker goes half-open, or batch work may find room again.
    std::int64_t recoversInMs = 0;
    /// R is above the sampling floor: the route may be the reference for others.
    bool aboveFloor = true;
    /// R and L in thousandths of a request per second; no cap learned = -1.
    std::int64_t permittedMilliRps = -1;
    std::int64_t capMilliRps = -1;
    std::int64_t version = 0;

    bool operator==(const GateView&) const = default;
};

} // namespace weir
