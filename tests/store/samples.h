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

/// Opens (and creates) the store at `path`; fails the test where that fails.
[[nodiscard]] std::unique_ptr<store::Database> openStore(const std::filesystem::path& path);

/// What another program does with the file: its own connection, plain SQL.
class ForeignClient final
{
public:
    explicit ForeignClient(const std::filesystem::path& path);
    ~ForeignClient();
    ForeignClient(const ForeignClient&) = delete;
    ForeignClient& operator=(const ForeignClient&) = delete;

    /// "" or the database's complaint.
    QString run(const QString& sql);
    /// The rows as "a|b|c" lines, as the shell prints them; the complaint where it has one.
    QString rows(const QString& sql);

private:
    void* m_db = nullptr;
};

} // namespace weir::tests
