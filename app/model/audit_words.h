// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/incident_words.h"
#include "common/model/audit_entry.h"
#include "common/model/settings.h"

#include <QString>

#include <optional>

namespace weir::model {

/// What somebody changed: "adaptive OFF", "slow_factor 3 to 4".
[[nodiscard]] QString auditText(const AuditEntry& entry);
[[nodiscard]] Look lookOf(const AuditEntry& entry);

/// The switch before and after a turn; nothing where the entry is about something else, or where
/// there was no row before.
[[nodiscard]] std::optional<Mode> modeBefore(const AuditEntry& entry);
[[nodiscard]] std::optional<Mode> modeAfter(const AuditEntry& entry);
[[nodiscard]] Look lookOf(Mode mode);

/// Which incident a note is about; empty where the entry is no note.
[[nodiscard]] std::string incidentOf(const AuditEntry& entry);

} // namespace weir::model
