// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sqlite.h"

#include <sqlite3.h>

#include <utility>

namespace weir::store {

class SqliteStatement final : public PreparedStatement
{
public:
    /// `sql` must outlive it.
    SqliteStatement(SqliteDb& db, const std::string& sql)
        : m_db(db)
        , m_sql(sql)
    {
    }

    ~SqliteStatement() override { sqlite3_finalize(m_statement); }

    SqliteStatement(const SqliteStatement&) = delete;
    SqliteStatement& operator=(const SqliteStatement&) = delete;

    void bind(std::string_view text) override
    {
        ++m_bound;
        if (m_error != SQLITE_OK) return;
        // A null pointer would bind NULL.
        const char* bytes = text.data() == nullptr ? "" : text.data();
        m_error = sqlite3_bind_text64(
            m_statement, m_bound, bytes, text.size(), SQLITE_STATIC, SQLITE_UTF8);
    }

    void bind(std::int64_t value) override
    {
        ++m_bound;
        if (m_error == SQLITE_OK) m_error = sqlite3_bind_int64(m_statement, m_bound, value);
    }

    void bind(double value) override
    {
        ++m_bound;
        if (m_error == SQLITE_OK) m_error = sqlite3_bind_double(m_statement, m_bound, value);
    }

    void bindNull() override
    {
        ++m_bound;
        if (m_error == SQLITE_OK) m_error = sqlite3_bind_null(m_statement, m_bound);
    }

    Result<bool> next(Rows /*rows*/) override
    {
        if (m_error == SQLITE_OK) {
            const int code = sqlite3_step(m_statement);
            if (code == SQLITE_ROW) return true;
            if (code == SQLITE_DONE) return false;
            m_error = code;
        }
        return tl::unexpected(m_db.error(m_error));
    }

    void reset() override
    {
        m_bound = 0;
        if (m_statement == nullptr) return;
        m_error = SQLITE_OK;
        sqlite3_reset(m_statement);
        // Bound texts are the caller's and may be gone when the statement is used again.
        sqlite3_clear_bindings(m_statement);
    }

    /// Once; where it failed, again at the next use.
    void prepare()
    {
        if (m_statement != nullptr) return;
        m_error = sqlite3_prepare_v3(
            m_db.m_db.get(),
            m_sql.data(),
            static_cast<int>(m_sql.size()),
            SQLITE_PREPARE_PERSISTENT,
            &m_statement,
            nullptr);
    }

    [[nodiscard]] bool isNull(int column) const override
    {
        return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
    }

    [[nodiscard]] std::string text(int column) const override
    {
        const auto* bytes = sqlite3_column_blob(m_statement, column);
        const int size = sqlite3_column_bytes(m_statement, column);
        if (bytes == nullptr) return {};
        return {static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
    }

    [[nodiscard]] std::int64_t integer(int column) const override
    {
        return sqlite3_column_int64(m_statement, column);
    }

    [[nodiscard]] double real(int column) const override
    {
        return sqlite3_column_double(m_statement, column);
    }

private:
    SqliteDb& m_db;
    const std::string& m_sql;
    sqlite3_stmt* m_statement = nullptr;
    int m_bound = 0;
    int m_error = SQLITE_OK;
};

void SqliteDb::Close::operator()(sqlite3* db) const
{
    sqlite3_close_v2(db);
}

SqliteDb::~SqliteDb() = default;

Result<std::unique_ptr<SqliteDb>>
SqliteDb::open(const std::filesystem::path& path, Open mode, std::chrono::milliseconds busyTimeout)
{
    auto db = std::unique_ptr<SqliteDb>(new SqliteDb);
    db->m_path = path.string();
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                      (mode == Open::Create ? SQLITE_OPEN_CREATE : 0);
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(db->m_path.c_str(), &handle, flags, nullptr);
    db->m_db.reset(handle);
    if (handle == nullptr) return fail("store", db->m_path, "out of memory");
    if (code != SQLITE_OK) return tl::unexpected(db->error(code));
    sqlite3_busy_timeout(handle, static_cast<int>(busyTimeout.count()));
    // NORMAL: a power cut may lose the newest transactions but never the database's order; the
    // spool keeps the rows of the ledger, and its position goes back with them.
    const Status<> set = db->script(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
        "PRAGMA recursive_triggers = OFF; PRAGMA temp_store = MEMORY");
    if (!set) return tl::unexpected(set.error());
    return db;
}

PreparedStatement& SqliteDb::prepare(std::string_view sql)
{
    auto found = m_statements.find(sql);
    if (found == m_statements.end()) {
        found = m_statements.emplace(std::string{sql}, nullptr).first;
        found->second = std::make_unique<SqliteStatement>(*this, found->first);
    }
    found->second->prepare();
    return *found->second;
}

Status<> SqliteDb::script(const std::string& sql)
{
    const int code = sqlite3_exec(m_db.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return tl::unexpected(error(code));
    return {};
}

std::int64_t SqliteDb::changes() const
{
    return sqlite3_changes64(m_db.get());
}

Status<> SqliteDb::begin(std::string_view /*table*/)
{
    return Statement(*this, "BEGIN IMMEDIATE").run();
}

Status<> SqliteDb::commit()
{
    return Statement(*this, "COMMIT").run();
}

void SqliteDb::rollback()
{
    // SQLite may have rolled back by itself (a full disk); then this fails, and that is all right.
    static_cast<void>(Statement(*this, "ROLLBACK").run());
}

Result<bool> SqliteDb::awaitChange(std::chrono::milliseconds atMost)
{
    std::unique_lock lock(m_mutex);
    m_woken.wait_for(lock, atMost, [this] { return m_wake; });
    m_wake = false;
    return false;
}

void SqliteDb::wake()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_wake = true;
    }
    m_woken.notify_one();
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
    case SQLITE_READONLY:
        return {"read_only", m_path, detail};
    default:
        return {"store", m_path, detail};
    }
}

} // namespace weir::store
