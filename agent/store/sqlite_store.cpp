// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sqlite_store.h"

#include "agent/store/migrations.h"
#include "agent/store/sqlite_decisions.h"

#include <system_error>
#include <utility>

namespace weir::store {
namespace {

Status<> prepareSchema(SqliteDb& db, const SqliteOptions& options)
{
    if (options.mode == OpenMode::Existing) return checkSchema(db, sqliteMigrations());
    const auto firstRows = [&options](SqliteDb& fresh) {
        return writeFirstRows(fresh, options.host, options.now);
    };
    return migrate(db, sqliteMigrations(), options.now, firstRows);
}

} // namespace

SqliteStore::SqliteStore(SqliteDb db)
    : m_db(std::move(db))
{
}

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const SqliteOptions& options)
{
    const bool create = options.mode == OpenMode::CreateOrUpgrade;
    std::error_code failed;
    if (!create && !std::filesystem::exists(options.path, failed)) {
        return fail(
            "store_missing",
            options.path.string(),
            "there is no store; the agent makes it when it starts");
    }
    Result<SqliteDb> db = SqliteDb::open(
        options.path,
        create ? SqliteDb::Open::Create : SqliteDb::Open::Existing,
        options.busyTimeout);
    if (!db) return tl::unexpected(db.error());
    if (Status<> ready = prepareSchema(*db, options); !ready) {
        Error error = ready.error();
        if (error.where == "schema_version") error.where = options.path.string();
        return tl::unexpected(std::move(error));
    }
    return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(*db)));
}

} // namespace weir::store
