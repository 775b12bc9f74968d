// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/base/secret.h"

#include <chrono>
#include <string>

namespace weir::store {

/// Where a Postgres is, and how long to wait for it.
struct PgTarget
{
    /// Whole, so with the password that may stand in it.
    Secret url;
    /// "postgresql://user@host:port/database", for people.
    std::string place;
    /// Shown by the server in pg_stat_activity.
    std::string application;
    /// For the answer to each statement; whoever does not keep it is taken for dead.
    std::chrono::milliseconds deadline{1500};
    /// For a connection. An attempt that takes longer goes on by itself, and the next call finds
    /// it.
    std::chrono::milliseconds connecting{1000};
};

/// Error code "bad_store_url"; the URL itself is not repeated.
[[nodiscard]] Result<PgTarget>
pgTarget(const std::string& url, std::string application, std::chrono::milliseconds deadline);

} // namespace weir::store
