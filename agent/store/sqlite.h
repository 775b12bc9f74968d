// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace weir::store {

class SqliteDb;

/// A prepared statement in use: bind in order, then run or step through the rows. Leaving its scope
/// resets it for the next use; the same text must not be in use twice at a time. What goes wrong in
/// preparing or binding surfaces when it is stepped.
class SqliteStatement final
{
public:
    /// `sql` must be a literal or otherwise bounded in variety: the connection keeps it prepared.
    SqliteStatement(SqliteDb& db, std::string_view sql);
    ~SqliteStatement();
    SqliteStatement(const SqliteStatement&) = delete;
    SqliteStatement& operator=(const SqliteStatement&) = delete;

    /// The bytes must stay alive and unchanged until the statement's scope ends.
    SqliteStatement& bind(std::string_view text);
    SqliteStatement& bind(std::int64_t value);
    SqliteStatement& bind(double value);
    SqliteStatement& bind(std::optional<std::int64_t> value);
    SqliteStatement& bind(std::optional<double> value);

    /// True while there is a row to read.
    [[nodiscard]] Result<bool> next();
    /// For statements without rows; ready for the next set of values afterwards.
    [[nodiscard]] Status<> run();

    [[nodiscard]] std::string text(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] std::optional<std::int64_t> maybeInteger(int column) const;
    [[nodiscard]] double real(int column) const;

private:
    SqliteDb& m_db;
    sqlite3_stmt* m_statement = nullptr;
    int m_bound = 0;
    int m_error = 0;
};

/// A connection, of one thread.
class SqliteDb final
{
public:
    enum class Open : std::uint8_t { Create, Existing };

    [[nodiscard]] static Result<SqliteDb>
    open(const std::filesystem::path& path, Open mode, std::chrono::milliseconds busyTimeout);

    /// Runs a script of statements without values or rows.
    [[nodiscard]] Status<> script(const std::string& sql);
    /// Rows changed by the statement last run.
    [[nodiscard]] std::int64_t changes() const;
    /// What a result code means: "busy", "store_full", "refused" (a constraint), else "store".
    [[nodiscard]] Error error(int code) const;

private:
    friend class SqliteStatement;

    struct Close
    {
        void operator()(sqlite3* db) const;
    };

    struct Finalize
    {
        void operator()(sqlite3_stmt* statement) const;
    };

    SqliteDb() = default;

    /// The prepared statement, or the result code that says why there is none.
    int prepared(std::string_view sql, sqlite3_stmt*& statement);

    std::string m_path;
    std::unique_ptr<sqlite3, Close> m_db;
    std::map<std::string, std::unique_ptr<sqlite3_stmt, Finalize>, std::less<>> m_statements;
};

/// BEGIN IMMEDIATE; rolls back unless committed.
class SqliteTransaction final
{
public:
    [[nodiscard]] static Result<SqliteTransaction> begin(SqliteDb& db);

    ~SqliteTransaction();
    SqliteTransaction(SqliteTransaction&& other) noexcept;
    SqliteTransaction& operator=(SqliteTransaction&&) = delete;

    [[nodiscard]] Status<> commit();

private:
    explicit SqliteTransaction(SqliteDb& db);

    SqliteDb* m_db;
};

} // namespace weir::store
