// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql.h"

#include "agent/store/sql_transaction.h"

#include <utility>

namespace weir::store {

Statement::Statement(SqlConnection& db, std::string_view sql, Rows rows)
    : m_statement(db.prepare(sql))
    , m_rows(rows)
{
}

Statement::~Statement()
{
    m_statement.reset();
}

Statement& Statement::bind(std::string_view text)
{
    m_statement.bind(text);
    return *this;
}

Statement& Statement::bind(std::int64_t value)
{
    m_statement.bind(value);
    return *this;
}

Statement& Statement::bind(double value)
{
    m_statement.bind(value);
    return *this;
}

Statement& Statement::bind(std::optional<std::int64_t> value)
{
    value ? m_statement.bind(*value) : m_statement.bindNull();
    return *this;
}

Statement& Statement::bind(std::optional<double> value)
{
    value ? m_statement.bind(*value) : m_statement.bindNull();
    return *this;
}

Result<bool> Statement::next()
{
    return m_statement.next(m_rows);
}

Status<> Statement::run()
{
    const Result<bool> row = m_statement.next(m_rows);
    m_statement.reset();
    if (!row) return tl::unexpected(row.error());
    return {};
}

std::string Statement::text(int column) const
{
    return m_statement.text(column);
}

std::int64_t Statement::integer(int column) const
{
    return m_statement.integer(column);
}

std::optional<std::int64_t> Statement::maybeInteger(int column) const
{
    if (m_statement.isNull(column)) return std::nullopt;
    return m_statement.integer(column);
}

std::optional<double> Statement::maybeReal(int column) const
{
    if (m_statement.isNull(column)) return std::nullopt;
    return m_statement.real(column);
}

double Statement::real(int column) const
{
    return m_statement.real(column);
}

Transaction::Transaction(SqlConnection& db)
    : m_db(&db)
{
}

Transaction::Transaction(Transaction&& other) noexcept
    : m_db(std::exchange(other.m_db, nullptr))
{
}

Result<Transaction> Transaction::begin(SqlConnection& db, std::string_view table)
{
    if (const Status<> begun = db.begin(table); !begun) return tl::unexpected(begun.error());
    return Transaction(db);
}

Transaction::~Transaction()
{
    if (m_db != nullptr) m_db->rollback();
}

Status<> Transaction::commit()
{
    Status<> committed = m_db->commit();
    if (committed) m_db = nullptr;
    return committed;
}

std::string_view clockMs(Dialect dialect)
{
    // Not the transaction's start: it may have waited for a lock since.
    if (dialect == Dialect::Postgres) {
        return "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    }
    return "CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)";
}

} // namespace weir::store
