// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/degradation_report.h"
#include "common/model/drill_status.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace weir {

/// What the model's requests of one span of time saw.
struct DrillWindow
{
    /// Levels, failures and times to the first output.
    DegradationReport ladder;
    /// Requests by who answered them, or failed last.
    std::map<std::string, std::uint64_t> providers;
    /// Requests that a second route was tried for.
    std::uint64_t failovers = 0;
    /// Of the requests whose cost is known.
    std::int64_t costMicroUsd = 0;
    std::uint64_t costKnown = 0;

    [[nodiscard]] std::uint64_t failures() const { return ladder.levels[kLevelFailure].requests; }

    /// Micro-dollars; nothing where no cost is known.
    [[nodiscard]] std::optional<std::int64_t> costPerRequest() const;

    bool operator==(const DrillWindow&) const = default;
};

/// What a drill moved and what users saw: the model's requests before, during and after it, in
/// spans of the same length, of what `routing::DrillTally` has counted.
struct DrillReport
{
    Drill drill;
    DrillWindow before;
    DrillWindow during;
    /// Shorter while it is not over yet.
    DrillWindow after;
    /// From the start until hardly any request began on the route any more; nothing where that
    /// never was, or where none had begun there before.
    std::optional<std::int64_t> leftMs;
    /// From the end until at least half as many as before began there again.
    std::optional<std::int64_t> backMs;
    /// As the agents saw it.
    DrillCounts counts;

    bool operator==(const DrillReport&) const = default;
};

} // namespace weir
