// SPDX-License-Identifier: Apache-2.0
#include "agent/store/open.h"

#include "agent/store/data_dir.h"
#include "agent/store/sqlite_store.h"

namespace weir::store {

Result<std::unique_ptr<Database>>
open(const std::string& url, const std::filesystem::path& dataDir, const OpenOptions& options)
{
    const Result<std::filesystem::path> path = sqlitePath(url, dataDir);
    if (!path) return tl::unexpected(path.error());
    SqliteOptions sqlite;
    sqlite.path = *path;
    sqlite.mode = options.mode;
    sqlite.host = options.host;
    sqlite.now = options.now;
    return openSqlite(sqlite);
}

} // namespace weir::store
