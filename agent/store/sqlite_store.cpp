// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sqlite_store.h"

#include "agent/store/first_rows.h"
#include "agent/store/migrations.h"
#include "agent/store/row_sink.h"
#include "agent/store/sql_store.h"
#include "agent/store/sqlite.h"

#include <system_error>
#include <utility>

namespace weir::store {

Result<std::unique_ptr<Database>> openSqlite(const SqliteOptions& options)
{
    const bool create = options.mode == OpenMode::CreateOrUpgrade;
    std::error_code failed;
    if (!create && !std::filesystem::exists(options.path, failed)) {
        return fail(
            "store_missing",
            options.path.string(),
            "there is no store; the agent makes it when it starts");
    }
    Result<std::unique_ptr<SqliteDb>> db = SqliteDb::open(
        options.path,
        create ? SqliteDb::Open::Create : SqliteDb::Open::Existing,
        options.busyTimeout);
    if (!db) return tl::unexpected(db.error());
    const Status<> ready =
        create
            ? migrate(**db, sqliteMigrations(), options.now, rowsWriter(options.host, options.now))
            : checkSchema(**db, sqliteMigrations());
    if (!ready) {
        Error error = ready.error();
        if (error.where == "schema_version") error.where = options.path.string();
        return tl::unexpected(std::move(error));
    }
    auto sink = std::make_unique<RowSink>(**db);
    return std::make_unique<SqlStore>(std::move(*db), std::move(sink));
}

} // namespace weir::store
