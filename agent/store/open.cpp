// SPDX-License-Identifier: Apache-2.0
#include "agent/store/open.h"

#include "agent/store/data_dir.h"
#include "agent/store/pg_store.h"
#include "agent/store/sqlite_store.h"

namespace weir::store {
namespace {

/// For a connection: a tool has one try, maybe of a busy server.
constexpr std::chrono::milliseconds kConnectingOnce{4000};

std::chrono::milliseconds deadlineOf(Use use)
{
    switch (use) {
    case Use::Control:
        return std::chrono::milliseconds{1500};
    case Use::Ledger:
        return std::chrono::seconds{30};
    case Use::Learn:
        return std::chrono::seconds{60};
    case Use::Tool:
        break;
    }
    return std::chrono::seconds{10};
}

bool isPostgres(const std::string& url)
{
    return url.starts_with("postgresql://") || url.starts_with("postgres://");
}

PgOptions pgOptions(const std::string& url, const OpenOptions& options)
{
    PgOptions postgres;
    postgres.url = url;
    postgres.mode = options.mode;
    postgres.application = options.use == Use::Tool ? "weirctl" : "weir-agent";
    postgres.deadline = deadlineOf(options.use);
    if (options.use == Use::Tool) postgres.connecting = kConnectingOnce;
    postgres.host = options.host;
    return postgres;
}

Result<SqliteOptions> sqliteOptions(
    const std::string& url, const std::filesystem::path& dataDir, const OpenOptions& options)
{
    const Result<std::filesystem::path> path = sqlitePath(url, dataDir);
    if (!path) return tl::unexpected(path.error());
    SqliteOptions sqlite;
    sqlite.path = *path;
    sqlite.mode = options.mode;
    sqlite.host = options.host;
    sqlite.now = options.now;
    return sqlite;
}

} // namespace

Result<std::unique_ptr<Database>>
open(const std::string& url, const std::filesystem::path& dataDir, const OpenOptions& options)
{
    if (isPostgres(url)) return openPostgres(pgOptions(url, options));
    return sqliteOptions(url, dataDir, options).and_then(openSqlite);
}

Result<Upgraded>
upgrade(const std::string& url, const std::filesystem::path& dataDir, const OpenOptions& options)
{
    if (isPostgres(url)) return upgradePostgres(pgOptions(url, options));
    return sqliteOptions(url, dataDir, options).and_then(upgradeSqlite);
}

} // namespace weir::store
