// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir {

/// What a drill does to its route, in every agent (seed document 001, "Test equivalence before you
/// need it").
enum class DrillKind : std::uint8_t {
    /// The breaker counts as open: no traffic at all.
    Breaker,
    /// A share of the attempts is answered 429, without being sent.
    RateLimit,
    /// The same with a 503.
    Error,
    /// A share of the attempts waits before it is sent.
    Delay,
};

/// "breaker", "rate_limit", "error", "delay".
[[nodiscard]] std::string_view toWord(DrillKind kind);
[[nodiscard]] std::optional<DrillKind> drillKindFromWord(std::string_view word);

/// A failure provoked on purpose, bounded in time. A row of `drill`; every agent ends it by its own
/// clock, whoever started it and whether or not the store can be reached.
struct Drill
{
    /// Made by the store's writer; names the drill in the ledger's report.
    std::string id;
    DrillKind kind = DrillKind::Breaker;
    std::string model;
    std::string provider;
    /// Of the attempts on the route; meaningless for `Breaker`.
    std::int64_t sharePpm = 1'000'000;
    /// For `Delay`.
    std::int64_t delayMs = 0;
    UtcTime startsAt{};
    /// At most an hour later.
    UtcTime endsAt{};
    /// Ends the drill where more of the requests for this model than this end in an error for their
    /// caller, over at least 20 of them; ppm.
    std::int64_t abortFailurePpm = 50'000;
    std::string startedBy;
    std::string host;
    std::string reason;
    /// Nothing while it runs.
    std::optional<UtcTime> endedAt;
    /// "time", "stopped", "aborted".
    std::string endReason;

    bool operator==(const Drill&) const = default;
};

} // namespace weir
