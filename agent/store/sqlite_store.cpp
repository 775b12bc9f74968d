// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sqlite_store.h"

#include "agent/store/first_rows.h"
#include "agent/store/migrations.h"
#include "agent/store/row_sink.h"
#include "agent/store/sql_store.h"
#include "agent/store/sqlite.h"

#include <iterator>
#include <system_error>
#include <utility>

namespace weir::store {
namespace {

Status<> requireFile(const std::filesystem::path& path)
{
    std::error_code failed;
    if (std::filesystem::exists(path, failed)) return {};
    return fail(
        "store_missing", path.string(), "there is no store; the agent makes it when it starts");
}

Error inFile(Error error, const std::filesystem::path& path)
{
    if (error.where == "schema_version") error.where = path.string();
    return error;
}

} // namespace

Result<std::unique_ptr<Database>> openSqlite(const SqliteOptions& options)
{
    const bool create = options.mode == OpenMode::CreateOrUpgrade;
    if (!create) {
        const Status<> there = requireFile(options.path);
        if (!there) return tl::unexpected(there.error());
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
    if (!ready) return tl::unexpected(inFile(ready.error(), options.path));
    auto sink = std::make_unique<RowSink>(**db);
    return std::make_unique<SqlStore>(std::move(*db), std::move(sink));
}

Result<Upgraded> upgradeSqlite(const SqliteOptions& options)
{
    if (const Status<> there = requireFile(options.path); !there) {
        return tl::unexpected(there.error());
    }
    const Result<std::unique_ptr<SqliteDb>> db =
        SqliteDb::open(options.path, SqliteDb::Open::Existing, options.busyTimeout);
    if (!db) return tl::unexpected(db.error());
    const Result<std::int64_t> from = schemaVersion(**db);
    if (!from) return tl::unexpected(from.error());
    const Status<> done =
        migrate(**db, sqliteMigrations(), options.now, rowsWriter(options.host, options.now));
    if (!done) return tl::unexpected(inFile(done.error(), options.path));
    const Result<std::int64_t> putBack = writeMissingRows(**db, options.host, options.now);
    if (!putBack) return tl::unexpected(inFile(putBack.error(), options.path));
    return Upgraded{*from, std::ssize(sqliteMigrations()), *putBack, {}};
}

} // namespace weir::store
