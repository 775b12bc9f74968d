// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sqlite.h"

#include <sqlite3.h>

#include <utility>

namespace weir::store {

SqliteStatement::SqliteStatement(SqliteDb& db, std::string_view sql)
    : m_db(db)
    , m_error(db.prepared(sql, m_statement))
{
}

SqliteStatement::~SqliteStatement()
{
    if (m_statement == nullptr) return;
    sqlite3_reset(m_statement);
    // Bound texts are the caller's and may be gone when the statement is used again.
    sqlite3_clear_bindings(m_statement);
}

SqliteStatement& SqliteStatement::bind(std::string_view text)
{
    ++m_bound;
    if (m_error != SQLITE_OK) return *this;
    // A null pointer would bind NULL.
    const char* bytes = text.data() == nullptr ? "" : text.data();
    m_error =
        sqlite3_bind_text64(m_statement, m_bound, bytes, text.size(), SQLITE_STATIC, SQLITE_UTF8);
    return *this;
}

SqliteStatement& SqliteStatement::bind(std::int64_t value)
{
    ++m_bound;
    if (m_error == SQLITE_OK) m_error = sqlite3_bind_int64(m_statement, m_bound, value);
    return *this;
}

SqliteStatement& SqliteStatement::bind(double value)
{
    ++m_bound;
    if (m_error == SQLITE_OK) m_error = sqlite3_bind_double(m_statement, m_bound, value);
    return *this;
}

SqliteStatement& SqliteStatement::bind(std::optional<std::int64_t> value)
{
    if (value) return bind(*value);
    ++m_bound;
    if (m_error == SQLITE_OK) m_error = sqlite3_bind_null(m_statement, m_bound);
    return *this;
}

SqliteStatement& SqliteStatement::bind(std::optional<double> value)
{
    if (value) return bind(*value);
    return bind(std::optional<std::int64_t>{});
}

Result<bool> SqliteStatement::next()
{
    if (m_error == SQLITE_OK) {
        const int code = sqlite3_step(m_statement);
        if (code == SQLITE_ROW) return true;
        if (code == SQLITE_DONE) return false;
        m_error = code;
    }
    return tl::unexpected(m_db.error(m_error));
}

Status<> SqliteStatement::run()
{
    const Result<bool> row = next();
    Status<> result;
    if (!row) result = tl::unexpected(row.error());
    if (m_statement != nullptr) {
        sqlite3_reset(m_statement);
        m_error = SQLITE_OK;
    }
    m_bound = 0;
    return result;
}

std::string SqliteStatement::text(int column) const
{
    const auto* bytes = sqlite3_column_blob(m_statement, column);
    const int size = sqlite3_column_bytes(m_statement, column);
    if (bytes == nullptr) return {};
    return {static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

std::int64_t SqliteStatement::integer(int column) const
{
    return sqlite3_column_int64(m_statement, column);
}

std::optional<std::int64_t> SqliteStatement::maybeInteger(int column) const
{
    if (sqlite3_column_type(m_statement, column) == SQLITE_NULL) return std::nullopt;
    return integer(column);
}

double SqliteStatement::real(int column) const
{
    return sqlite3_column_double(m_statement, column);
}

void SqliteDb::Close::operator()(sqlite3* db) const
{
    sqlite3_close_v2(db);
}

void SqliteDb::Finalize::operator()(sqlite3_stmt* statement) const
{
    sqlite3_finalize(statement);
}

Result<SqliteDb>
SqliteDb::open(const std::filesystem::path& path, Open mode, std::chrono::milliseconds busyTimeout)
{
    SqliteDb db;
    db.m_path = path.string();
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                      (mode == Open::Create ? SQLITE_OPEN_CREATE : 0);
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(db.m_path.c_str(), &handle, flags, nullptr);
    db.m_db.reset(handle);
    if (handle == nullptr) return fail("store", db.m_path, "out of memory");
    if (code != SQLITE_OK) return tl::unexpected(db.error(code));
    sqlite3_busy_timeout(handle, static_cast<int>(busyTimeout.count()));
    // NORMAL: a power cut may lose the newest transactions but never the database's order; the
    // spool keeps the rows of the ledger, and its position goes back with them.
    const Status<> set = db.script(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
        "PRAGMA recursive_triggers = OFF; PRAGMA temp_store = MEMORY");
    if (!set) return tl::unexpected(set.error());
    return db;
}

Status<> SqliteDb::script(const std::string& sql)
{
    const int code = sqlite3_exec(m_db.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return tl::unexpected(error(code));
    return {};
}

int SqliteDb::prepared(std::string_view sql, sqlite3_stmt*& statement)
{
    if (const auto found = m_statements.find(sql); found != m_statements.end()) {
        statement = found->second.get();
        return SQLITE_OK;
    }
    const int code = sqlite3_prepare_v3(
        m_db.get(),
        sql.data(),
        static_cast<int>(sql.size()),
        SQLITE_PREPARE_PERSISTENT,
        &statement,
        nullptr);
    if (code != SQLITE_OK) return code;
    m_statements.emplace(std::string{sql}, statement);
    return SQLITE_OK;
}

std::int64_t SqliteDb::changes() const
{
    return sqlite3_changes64(m_db.get());
}

Error SqliteDb::error(int code) const
{
    const std::string detail = sqlite3_errmsg(m_db.get());
    switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {"busy", m_path, "another process is writing: " + detail};
    case SQLITE_FULL:
        return {"store_full", m_path, detail};
    case SQLITE_CONSTRAINT:
        return {"refused", m_path, detail};
    default:
        return {"store", m_path, detail};
    }
}

SqliteTransaction::SqliteTransaction(SqliteDb& db)
    : m_db(&db)
{
}

SqliteTransaction::SqliteTransaction(SqliteTransaction&& other) noexcept
    : m_db(std::exchange(other.m_db, nullptr))
{
}

Result<SqliteTransaction> SqliteTransaction::begin(SqliteDb& db)
{
    if (const Status<> begun = SqliteStatement(db, "BEGIN IMMEDIATE").run(); !begun) {
        return tl::unexpected(begun.error());
    }
    return SqliteTransaction(db);
}

SqliteTransaction::~SqliteTransaction()
{
    // SQLite may have rolled back by itself (a full disk); then this fails, and that is all right.
    if (m_db != nullptr) static_cast<void>(SqliteStatement(*m_db, "ROLLBACK").run());
}

Status<> SqliteTransaction::commit()
{
    const Status<> committed = SqliteStatement(*m_db, "COMMIT").run();
    if (committed) m_db = nullptr;
    return committed;
}

} // namespace weir::store
