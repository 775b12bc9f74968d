// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/store.h"
#include "common/model/degradation_report.h"

#include <string_view>

namespace weir::ctl {

/// What the ledger says of the requests asked for, counted as the simulator counts its own.
[[nodiscard]] Result<DegradationReport>
degradationReport(store::Store& store, const store::RequestQuery& query);

/// Whether a request for one of these regions (comma separated; none = any) may use the route of
/// this name: a route's region is what stands behind its last "@".
[[nodiscard]] bool isInRegion(std::string_view route, std::string_view regionsAsked);

} // namespace weir::ctl
