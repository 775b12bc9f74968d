// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.h"
#include "common/model/settings.h"
#include "common/model/store_rows.h"

#include <QSqlDatabase>

#include <optional>
#include <string>
#include <vector>

namespace weir::link {

/// The console's reads. Error codes: "switch_missing", "settings_missing" where the row is not
/// there, "store" where the store did not answer or its schema is another one.

[[nodiscard]] Result<RoutingSwitch> readSwitch(QSqlDatabase db);
[[nodiscard]] Result<RoutingSettings> readSettings(QSqlDatabase db);
[[nodiscard]] Result<std::vector<AgentStateRow>> readAgents(QSqlDatabase db);
/// Newest first.
[[nodiscard]] Result<std::vector<AuditEntry>> readSwitchAudit(QSqlDatabase db, int limit);
/// The switch as the write with this uuid left it; nothing where there was no such write.
[[nodiscard]] Result<std::optional<RoutingSwitch>>
readWritten(QSqlDatabase db, const std::string& requestUuid);

/// Which of the pre-aggregated tables.
enum class Step : std::uint8_t { TenSeconds, Minute };

/// By time, model, provider; from `from` (included) to `to`.
[[nodiscard]] Result<std::vector<RouteSlice>>
readSlices(QSqlDatabase db, Step step, UtcTime from, UtcTime to);

} // namespace weir::link
