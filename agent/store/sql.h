// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::store {

/// Where the text of a statement must differ, it asks for this; elsewhere it is the same.
enum class Dialect : std::uint8_t { Sqlite, Postgres };

enum class Rows : std::uint8_t {
    Whole,
    /// In constant memory, however many; no other statement may run meanwhile.
    Streamed,
};

/// A driver's side of a statement. Values are bound in the order of the text's `?`; columns count
/// from 0. What goes wrong in preparing or binding surfaces in `next`.
class PreparedStatement
{
public:
    virtual ~PreparedStatement() = default;

    /// The bytes stay the caller's until `reset`.
    virtual void bind(std::string_view text) = 0;
    virtual void bind(std::int64_t value) = 0;
    virtual void bind(double value) = 0;
    virtual void bindNull() = 0;
    [[nodiscard]] virtual Result<bool> next(Rows rows) = 0;
    /// Ready for the next set of values.
    virtual void reset() = 0;

    [[nodiscard]] virtual bool isNull(int column) const = 0;
    [[nodiscard]] virtual std::string text(int column) const = 0;
    [[nodiscard]] virtual std::int64_t integer(int column) const = 0;
    [[nodiscard]] virtual double real(int column) const = 0;
};

/// A connection to a database, of one thread. What a code of its errors means: "busy" (another
/// one is writing: try again), "store_full", "refused" (a constraint or a trigger), "read_only",
/// "forbidden" (this role may not), "unreachable", else "store".
class SqlConnection
{
public:
    virtual ~SqlConnection() = default;

    [[nodiscard]] virtual Dialect dialect() const = 0;
    /// Lives as long as the connection; the same text is the same statement.
    [[nodiscard]] virtual PreparedStatement& prepare(std::string_view sql) = 0;
    /// Runs statements without values or rows.
    [[nodiscard]] virtual Status<> script(const std::string& sql) = 0;
    /// Rows changed by the statement last run.
    [[nodiscard]] virtual std::int64_t changes() const = 0;

    /// Nobody else writes to `table` (empty: no table of its own) until the end; see `Transaction`.
    [[nodiscard]] virtual Status<> begin(std::string_view table) = 0;
    [[nodiscard]] virtual Status<> commit() = 0;
    virtual void rollback() = 0;

    /// See `Store`.
    [[nodiscard]] virtual Result<bool> awaitChange(std::chrono::milliseconds atMost) = 0;
    virtual void wake() = 0;
    virtual void hangUp() = 0;
};

/// A statement in use: bind in order, then run or step through the rows. Leaving its scope readies
/// it for the next use; the same text must not be in use twice at a time.
class Statement final
{
public:
    /// `sql` must be a literal or otherwise bounded in variety: the connection keeps it prepared.
    Statement(SqlConnection& db, std::string_view sql, Rows rows = Rows::Whole);
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    /// The bytes must stay alive and unchanged until the statement's scope ends.
    Statement& bind(std::string_view text);
    Statement& bind(std::int64_t value);
    Statement& bind(double value);
    Statement& bind(std::optional<std::int64_t> value);
    Statement& bind(std::optional<double> value);

    /// True while there is a row to read.
    [[nodiscard]] Result<bool> next();
    /// For statements without rows; ready for the next set of values afterwards.
    [[nodiscard]] Status<> run();

    /// NULL is "" and 0.
    [[nodiscard]] std::string text(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] std::optional<std::int64_t> maybeInteger(int column) const;
    [[nodiscard]] std::optional<double> maybeReal(int column) const;
    [[nodiscard]] double real(int column) const;

private:
    PreparedStatement& m_statement;
    Rows m_rows;
};

} // namespace weir::store
