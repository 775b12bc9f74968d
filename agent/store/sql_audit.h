// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/sql.h"
#include "common/model/audit_entry.h"

#include <string_view>
#include <vector>

namespace weir::store {

inline constexpr std::string_view kAuditColumns =
    "id, at_ms, who, host, table_name, row_key, old_value, new_value, reason, version";

/// All rows of a statement that selects kAuditColumns.
[[nodiscard]] Result<std::vector<AuditEntry>> auditFrom(Statement& select);

} // namespace weir::store
