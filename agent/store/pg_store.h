// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/open.h"

#include <chrono>
#include <memory>
#include <string>

namespace weir::store {

struct PgOptions
{
    std::string url;
    OpenMode mode = OpenMode::CreateOrUpgrade;
    std::string application = "weir-agent";
    /// For the answer to one statement.
    std::chrono::milliseconds deadline{1500};
    /// For a connection; an agent tries again.
    std::chrono::milliseconds connecting{1000};
    /// Stands in the first rows of a new database.
    std::string host;
};

/// The fleet's store: a Postgres. It is not connected to yet, and whatever is wrong with it each
/// call says. Error code "bad_store_url".
[[nodiscard]] Result<std::unique_ptr<Database>> openPostgres(const PgOptions& options);

/// See `upgrade`.
[[nodiscard]] Result<Upgraded> upgradePostgres(const PgOptions& options);

} // namespace weir::store
