// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/lease_store.h"
#include "agent/store/sql.h"

namespace weir::store {

/// Inside a transaction: from now to its end the lease is this holder's, whatever the clock says,
/// as whoever wants to take it waits. Error code "fenced" where it is not, or is over.
[[nodiscard]] Status<> holdLease(SqlConnection& db, const Lease& lease);

/// Draws the fleet's secret where there is none yet.
[[nodiscard]] Status<> writeSecret(SqlConnection& db);

} // namespace weir::store
