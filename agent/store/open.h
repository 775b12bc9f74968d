// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/database.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace weir::store {

enum class OpenMode : std::uint8_t {
    /// The agent: creates the database, brings its schema up to date, writes the first switch row.
    CreateOrUpgrade,
    /// Tools: the database must exist and have this program's schema.
    Existing,
};

/// What a connection is for. It says how long a statement may take before the connection counts as
/// dead.
enum class Use : std::uint8_t {
    /// Switch, settings, heartbeats: 1.5 s.
    Control,
    /// The ledger's batches: 30 s.
    Ledger,
    /// Summaries and incidents: 60 s.
    Learn,
    /// A person at a terminal: 10 s.
    Tool,
};

struct OpenOptions
{
    OpenMode mode = OpenMode::CreateOrUpgrade;
    Use use = Use::Control;
    /// Stands in the first rows of a new database.
    std::string host;
    UtcTime now{};
};

/// The store that a URL names: "sqlite:" is weir.db in `dataDir`, "sqlite:/path" that file,
/// "postgresql://…" a server. A file is open afterwards; a server is connected to by the first call
/// that needs it, and again whenever the connection was lost. Errors: "bad_store_url"; for a file
/// "store_newer" (written by a newer program), "store_missing", "store_older", "store".
[[nodiscard]] Result<std::unique_ptr<Database>>
open(const std::string& url, const std::filesystem::path& dataDir, const OpenOptions& options);

struct Upgraded
{
    /// The schemas before and after; 0 = there was none.
    std::int64_t from = 0;
    std::int64_t to = 0;
    /// The switch and the settings, where their rows were gone.
    std::int64_t rowsPutBack = 0;
    /// What an administrator must still do for the roles: "" or a sentence.
    std::string rolesTrouble;
};

/// Brings the schema up to date, as whoever owns it, puts the switch and the settings back where
/// their rows are gone, and makes the roles. A file must exist. Errors
/// besides those of `open`: "forbidden" where the user of the URL may not change it, and those of
/// any statement.
[[nodiscard]] Result<Upgraded>
upgrade(const std::string& url, const std::filesystem::path& dataDir, const OpenOptions& options);

} // namespace weir::store
