// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/sqlite_store.h"
#include "common/model/call_record.h"

#include <QString>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace weir::tests {

/// 2026-11-30T10:00:00Z.
inline constexpr UtcTime kNoon = fromEpochMs(1'796'032'800'000);

/// A record in which every field differs from its default; `number` makes the key.
[[nodiscard]] CallRecord sampleRecord(int number);

/// The tests of the store run on SQLite, and a second time on the Postgres that WEIR_TEST_POSTGRES
/// names (tests/support/servers.py starts one). There each path stands for a database of its own.
[[nodiscard]] bool onPostgres();

/// Opens (and creates) the store at `path`; fails the test where that fails.
[[nodiscard]] std::unique_ptr<store::Database> openStore(const std::filesystem::path& path);

/// On Postgres: the URL of the path's database, which is made where there is none.
[[nodiscard]] std::string postgresUrl(const std::filesystem::path& path);

} // namespace weir::tests
