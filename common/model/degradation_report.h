// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir {

/// L0 to L4.
inline constexpr std::size_t kLevelCount = kLevelFailure + 1;

using LevelCounts = std::array<std::uint64_t, kLevelCount>;

/// What became of the requests of one task type and priority.
struct LadderTask
{
    std::string taskType;
    bool batch = false;
    /// `shed` of them were put off by design; each other one stands at one level.
    std::uint64_t requests = 0;
    std::uint64_t shed = 0;
    /// By the level that served; at L4 those that failed.
    LevelCounts levels{};

    [[nodiscard]] std::uint64_t failures() const { return levels[kLevelFailure]; }

    bool operator==(const LadderTask&) const = default;
};

/// Median and 95th percentile from a request's start to its first output, failovers included, in
/// milliseconds; nothing where nobody was answered.
struct FirstOutput
{
    std::optional<std::int64_t> p50Ms;
    std::optional<std::int64_t> p95Ms;

    bool operator==(const FirstOutput&) const = default;
};

struct LadderLevel
{
    std::uint64_t requests = 0;
    /// Time in this mode.
    std::int64_t seconds = 0;
    FirstOutput firstOutput;

    bool operator==(const LadderLevel&) const = default;
};

/// The report after an incident (seed 001): share of requests per level, time in each mode, and
/// whether a residency rule was broken. The simulator and the live system make the same one, of
/// what `routing::DegradationTally` has counted.
struct DegradationReport
{
    /// Epoch milliseconds; requests that began in [from, to).
    std::int64_t fromMs = 0;
    std::int64_t toMs = 0;
    /// Those that were put off, too: shares are of these.
    std::uint64_t requests = 0;
    std::uint64_t shed = 0;
    std::array<LadderLevel, kLevelCount> levels{};
    /// By task type, interactive before batch.
    std::vector<LadderTask> tasks;
    /// Attempts on a route of a region that the request did not allow.
    std::uint64_t residencyViolations = 0;
    FirstOutput firstOutput;

    /// 0 to 1; 0 where there was no request.
    [[nodiscard]] double shareOf(std::uint64_t count) const;

    bool operator==(const DegradationReport&) const = default;
};

/// The mode of a minute whose interactive requests were served so: the worst level that one in a
/// hundred of them had, or worse than it; nothing without requests. A single failure among
/// thousands is no mode of the product.
[[nodiscard]] std::optional<int> modeOf(const LevelCounts& interactive);

/// For a terminal, in lines of at most 80 characters.
[[nodiscard]] std::vector<std::string> textOf(const DegradationReport& report);

} // namespace weir
