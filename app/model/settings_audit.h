// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/reports/settings_edit.h"
#include "app/model/grid.h"
#include "common/model/audit_entry.h"
#include "common/model/settings.h"

#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir::model {

/// What an entry of the audit changed, by the keys of weirctl where the settings have them, else by
/// the column. Empty `before` = there was no row.
[[nodiscard]] std::vector<reports::Change> changesOf(const AuditEntry& entry);

/// "settings", "route glm-5.2/baseten", "switch", "drill …".
[[nodiscard]] QString subjectOf(const AuditEntry& entry);

/// Who changed a value last.
struct LastChange
{
    std::string who;
    UtcTime at{};
    std::int64_t version = 0;
};

/// By key, of entries the newest first.
[[nodiscard]] std::map<std::string, LastChange, std::less<>>
lastChanges(const std::vector<AuditEntry>& entries);

/// What a revert would set; error code "no_revert" with why it cannot be.
[[nodiscard]] Result<std::vector<reports::Value>> revertOf(const AuditEntry& entry);

/// The audit as a table: entries whose every word of `filter` is in who, what, why or version.
[[nodiscard]] std::vector<GridColumn> auditColumns();
[[nodiscard]] std::vector<GridRow>
auditRows(const std::vector<AuditEntry>& entries, const QString& filter);

} // namespace weir::model
