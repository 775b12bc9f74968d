// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/store.h"
#include "common/model/config.h"
#include "common/model/degradation_report.h"
#include "common/routing/degradation_tally.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace weir::reports {

/// What can be said of contract terms: the ledger knows those that were asked for, but the terms of
/// a route stand in the configuration alone, as it is today.
struct TermsReport
{
    /// Attempts on a route without a term that its request asked for.
    std::int64_t violations = 0;
    /// Attempts that asked for terms, on a route that the configuration does not have (any more).
    std::int64_t unknown = 0;
};

struct LedgerReport
{
    DegradationReport degradation;
    /// Of the same requests.
    std::vector<routing::LadderMinute> minutes;
    /// Nothing without a configuration.
    std::optional<TermsReport> terms;
};

/// What the ledger says of the requests asked for, counted as the simulator counts its own.
[[nodiscard]] Result<LedgerReport>
ledgerReport(store::Store& store, const store::RequestQuery& query, const Config* config);

/// Whether a request for one of these regions (comma separated; none = any) may use the route of
/// this name: a route's region is what stands behind its last "@".
[[nodiscard]] bool isInRegion(std::string_view route, std::string_view regionsAsked);

} // namespace weir::reports
