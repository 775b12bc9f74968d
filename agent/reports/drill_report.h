// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/database.h"
#include "common/model/drill_report.h"

namespace weir::reports {

/// Of the ledger's rows around the drill and of what the agents counted; what lies behind `now` has
/// not happened yet.
[[nodiscard]] Result<DrillReport>
drillReport(store::Database& store, const store::StoredDrill& drill, UtcTime now);

} // namespace weir::reports
