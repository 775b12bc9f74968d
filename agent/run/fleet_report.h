// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/model/failover_status.h"
#include "common/routing/budget_book.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::run {

/// What the elected agent finds out besides the summary, for all others to show, and for the one
/// that takes over to go on with.
struct FleetReport
{
    FailoverReport failover;
    std::vector<routing::BudgetStatus> budgets;
    /// Epoch milliseconds up to which incidents have been judged; 0 = never.
    std::int64_t judgedUntilMs = 0;

    bool operator==(const FleetReport&) const = default;
};

/// Its name in the store.
inline constexpr const char* kFleetReport = "fleet";

[[nodiscard]] std::string encode(const FleetReport& report);

/// Error code "bad_fleet_report".
[[nodiscard]] Result<FleetReport> fleetReportFrom(std::string_view text);

} // namespace weir::run
