// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/migrations.h"
#include "common/base/time.h"

#include <string>

namespace weir::store {

/// What a new schema needs: the switch, mode `fixed`, and the standard settings, written once, with
/// the schema itself, so that a row that vanishes later is never taken for a first start (contract
/// section 5); and the fleet's secret where an older schema had none.
[[nodiscard]] WriteRows rowsWriter(std::string host, UtcTime now);

/// Because a person asks for it: the switch, mode `fixed`, and the standard settings, where a row
/// is gone. Versions go on where the audit ends. How many were.
[[nodiscard]] Result<std::int64_t>
writeMissingRows(SqlConnection& db, const std::string& host, UtcTime now);

} // namespace weir::store
