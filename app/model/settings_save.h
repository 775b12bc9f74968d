// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/reports/settings_edit.h"
#include "agent/store/database.h"
#include "common/model/audit_entry.h"

#include <optional>
#include <vector>

namespace weir::model {

/// What is in force, and how it came to be.
struct SettingsStand
{
    Decisions decisions;
    /// The newest first.
    std::vector<AuditEntry> audit;
};

[[nodiscard]] Result<SettingsStand> readStand(store::Database& database);

/// Rows to write, against the versions that they carry.
struct SaveOrder
{
    reports::Edit edit;
    /// Its request id names the whole; each row has one of its own made of it.
    store::Authorship by;
};

/// What became of it. Rows are written one by one, so some may be written where others are not.
struct SaveReport
{
    /// As they stand now.
    std::optional<RoutingSettings> settings;
    std::vector<RouteSettings> routes;
    /// A row had been written before by this very order.
    bool wasRepeated = false;
    /// Somebody else wrote a row in the meantime; nothing of it, and of those behind it, was
    /// changed.
    bool isConflict = false;
    std::optional<Error> error;
    /// With `error`: the connection went when something may have been written.
    bool isUnknown = false;
};

/// Doing the same order again writes nothing twice.
[[nodiscard]] SaveReport saveSettings(store::Database& database, const SaveOrder& order);

} // namespace weir::model
