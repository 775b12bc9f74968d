// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/sqlite.h"
#include "common/base/time.h"

#include <string>

namespace weir::store {

/// The switch, mode `fixed`, and the standard settings: written once, with the schema itself, so
/// that a row that vanishes later is never taken for a first start (contract section 5).
[[nodiscard]] Status<> writeFirstRows(SqliteDb& db, const std::string& host, UtcTime now);

} // namespace weir::store
