// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/decision_record.h"
#include "common/model/summary.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir::routing {

/// Why one route stands where it stands, for people.
struct RouteAnswer
{
    std::string provider;
    /// Its place among the record's routes.
    std::size_t route = 0;
    /// From 1; 0 = not a candidate.
    int place = 0;
    /// "best", "slow3x", …
    std::string code;
    /// One sentence with the numbers that decided.
    std::string sentence;
    /// The decision's, in 1e-9; 0 = not scored.
    std::int64_t score = 0;
    /// What it was summed up from before the operator's bias; 0 where nothing is known of that.
    std::int64_t costPart = 0;
    std::int64_t speedPart = 0;
};

/// The answer to "why did this request go there, and why not elsewhere?".
struct Explanation
{
    /// One sentence about the choice.
    std::string headline;
    /// Coins and rules that applied, one a line.
    std::vector<std::string> notes;
    /// In the decision's order, then the ineligible routes.
    std::vector<RouteAnswer> routes;
};

/// Made of the saved record and the summary of its id alone; `pool` is null where the decision was
/// made without one. `providers` are the model's, in the order of the record's routes.
/// `promptEstimate` as in the ledger.
[[nodiscard]] Explanation explain(
    const DecisionRecord& record,
    const PoolSummary* pool,
    std::span<const std::string> providers,
    std::optional<std::int64_t> promptEstimate = std::nullopt);

} // namespace weir::routing
