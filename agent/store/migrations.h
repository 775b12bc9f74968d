// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/sqlite.h"
#include "common/base/time.h"

#include <functional>
#include <span>
#include <string_view>

namespace weir::store {

/// A file of resources/sql/sqlite, built into the program. Its number is its place, from 1.
struct Migration
{
    std::string_view name;
    std::string_view sql;
};

[[nodiscard]] std::span<const Migration> sqliteMigrations();

/// The newest migration applied; 0 for an empty database.
[[nodiscard]] Result<std::int64_t> schemaVersion(SqliteDb& db);

/// Applies what is missing in one transaction, in which `firstRows` runs too if the database was
/// empty: a crash leaves either nothing or all of it. Error "store_newer" where the database has
/// migrations that `migrations` does not.
[[nodiscard]] Status<> migrate(
    SqliteDb& db,
    std::span<const Migration> migrations,
    UtcTime now,
    const std::function<Status<>(SqliteDb&)>& firstRows);

/// Success only where the schema is exactly that of `migrations`. Errors "store_newer",
/// "store_older".
[[nodiscard]] Status<> checkSchema(SqliteDb& db, std::span<const Migration> migrations);

} // namespace weir::store
