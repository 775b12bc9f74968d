// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/sql.h"
#include "common/model/drill.h"

#include <vector>

namespace weir::store {

/// Those whose end nobody has written, the oldest first; their time may be over all the same.
[[nodiscard]] Result<std::vector<Drill>> openDrills(SqlConnection& db);

} // namespace weir::store
