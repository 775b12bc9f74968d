// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/open.h"

#include <chrono>
#include <filesystem>
#include <memory>

namespace weir::store {

struct SqliteOptions
{
    std::filesystem::path path;
    OpenMode mode = OpenMode::CreateOrUpgrade;
    /// How long a call waits for another process that is writing.
    std::chrono::milliseconds busyTimeout{2000};
    /// Stands in the first rows of a new database.
    std::string host;
    UtcTime now{};
};

/// The embedded store: one SQLite file in WAL mode, shared by the agent, weirctl and the console.
/// Errors: "store_newer" (written by a newer program), "store_missing", "store_older", "store".
[[nodiscard]] Result<std::unique_ptr<Database>> openSqlite(const SqliteOptions& options);

/// See `upgrade`.
[[nodiscard]] Result<Upgraded> upgradeSqlite(const SqliteOptions& options);

} // namespace weir::store
