// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/sql.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace weir::store {

class SqliteStatement;

/// The driver for SQLite: a connection to a file.
class SqliteDb final : public SqlConnection
{
public:
    enum class Open : std::uint8_t { Create, Existing };

    [[nodiscard]] static Result<std::unique_ptr<SqliteDb>>
    open(const std::filesystem::path& path, Open mode, std::chrono::milliseconds busyTimeout);
    ~SqliteDb() override;
    SqliteDb(const SqliteDb&) = delete;
    SqliteDb& operator=(const SqliteDb&) = delete;

    [[nodiscard]] Dialect dialect() const override { return Dialect::Sqlite; }

    [[nodiscard]] PreparedStatement& prepare(std::string_view sql) override;
    [[nodiscard]] Status<> script(const std::string& sql) override;
    [[nodiscard]] std::int64_t changes() const override;
    [[nodiscard]] Status<> begin(std::string_view table) override;
    [[nodiscard]] Status<> commit() override;
    void rollback() override;
    /// Only waits: a file tells nobody of its changes.
    [[nodiscard]] Result<bool> awaitChange(std::chrono::milliseconds atMost) override;
    void wake() override;

    void hangUp() override {}

private:
    friend class SqliteStatement;

    struct Close
    {
        void operator()(sqlite3* db) const;
    };

    SqliteDb() = default;

    [[nodiscard]] Error error(int code) const;

    std::string m_path;
    std::unique_ptr<sqlite3, Close> m_db;
    std::map<std::string, std::unique_ptr<SqliteStatement>, std::less<>> m_statements;

    std::mutex m_mutex;
    std::condition_variable m_woken;
    bool m_wake = false;
};

} // namespace weir::store
