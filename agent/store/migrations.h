// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/sql.h"
#include "common/base/time.h"

#include <functional>
#include <span>
#include <string_view>

namespace weir::store {

/// A file of resources/sql, built into the program. Its number is its place, from 1.
struct Migration
{
    std::string_view name;
    std::string_view sql;
};

[[nodiscard]] std::span<const Migration> sqliteMigrations();
[[nodiscard]] std::span<const Migration> postgresMigrations();

/// The newest migration applied; 0 for an empty database.
[[nodiscard]] Result<std::int64_t> schemaVersion(SqlConnection& db);

/// What a program writes into a schema that it made or upgraded; `from` is the one that it found.
using WriteRows = std::function<Status<>(SqlConnection& db, std::int64_t from)>;

/// Applies what is missing in one transaction, and `rows` with it: a crash leaves either nothing or
/// all of it. Error "store_newer" where the database has migrations that `migrations` does not.
[[nodiscard]] Status<> migrate(
    SqlConnection& db, std::span<const Migration> migrations, UtcTime now, const WriteRows& rows);

/// Success only where the schema is exactly that of `migrations`. Errors "store_newer",
/// "store_older".
[[nodiscard]] Status<> checkSchema(SqlConnection& db, std::span<const Migration> migrations);

} // namespace weir::store
