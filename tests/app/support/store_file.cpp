// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/store_file.h"

#include <sqlite3.h>

#include <QDir>
#include <QFile>

namespace weir::test {
namespace {

std::string shippedSchema()
{
    std::string sql;
    const QDir folder(QStringLiteral(WEIR_SQL_DIR));
    const QStringList names = folder.entryList({QStringLiteral("*.sql")}, QDir::Files, QDir::Name);
    for (const QString& name : names) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read %s", qUtf8Printable(name));
        sql += file.readAll().toStdString() + "\n";
    }
    if (sql.empty()) qFatal("there is no schema in %s", WEIR_SQL_DIR);
    return sql;
}

int takeFirst(void* target, int columns, char** values, char**)
{
    auto& text = *static_cast<std::string*>(target);
    if (text.empty() && columns > 0 && values[0] != nullptr) text = values[0];
    return 0;
}

} // namespace

void runSql(const QString& path, const std::string& sql)
{
    sqlite3* db = nullptr;
    char* message = nullptr;
    if (sqlite3_open(path.toUtf8().constData(), &db) != SQLITE_OK) qFatal("cannot open a store");
    sqlite3_busy_timeout(db, 3000);
    if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK) {
        qFatal("%s", message);
    }
    sqlite3_close(db);
}

void StoreFile::Close::operator()(sqlite3* db) const
{
    sqlite3_close(db);
}

StoreFile::StoreFile()
{
    sqlite3* db = nullptr;
    const int code = sqlite3_open(path().toUtf8().constData(), &db);
    m_db.reset(db);
    if (code != SQLITE_OK) qFatal("cannot make a store");
    run("PRAGMA journal_mode = WAL");
    sqlite3_busy_timeout(db, 3000);
    run(shippedSchema());
    run("INSERT INTO routing_switch (id, mode, version, reason, updated_by) "
        "VALUES (1, 'fixed', 1, 'first start', 'weir-agent');"
        "INSERT INTO routing_settings (id, objective, cost_weight, speed_weight, slow_factor,"
        " switch_margin, exploration_share, exploration_cap, pin_seconds, max_premium, version,"
        " updated_by, reason) VALUES (1, 'score', 0.7, 0.3, 3, 0.05, 0.05, 0.2, 300, 2, 1,"
        " 'weir-agent', 'first start')");
}

StoreFile::~StoreFile() = default;

void StoreFile::run(const std::string& sql)
{
    char* message = nullptr;
    if (sqlite3_exec(m_db.get(), sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK) {
        qFatal("%s", message);
    }
}

std::string StoreFile::value(const std::string& sql)
{
    std::string text;
    char* message = nullptr;
    if (sqlite3_exec(m_db.get(), sql.c_str(), takeFirst, &text, &message) != SQLITE_OK) {
        qFatal("%s", message);
    }
    return text;
}

void StoreFile::turn(const std::string& mode, const std::string& by, const std::string& reason)
{
    run("UPDATE routing_switch SET mode = '" + mode + "', version = version + 1, updated_by = '" +
        by + "', reason = '" + reason + "' WHERE id = 1");
}

void StoreFile::acknowledge(
    const std::string& agent, const std::string& mode, const std::string& modeReason)
{
    const std::string nowMs = "CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER)";
    run("INSERT INTO agent_state (agent, service, host, version, effective_mode, mode_reason,"
        " switch_version, settings_version, applied_at_ms, last_seen_at_ms, store, redis,"
        " ledger_backlog_rows) SELECT '" +
        agent + "', 'code-review', 'devbox', '0.1.0', '" + mode + "', '" + modeReason +
        "', version, 1, " + nowMs + ", " + nowMs +
        ", 'ok', 'none', 0 FROM routing_switch WHERE true ON CONFLICT (agent) DO UPDATE SET"
        " effective_mode = excluded.effective_mode, mode_reason = excluded.mode_reason,"
        " switch_version = excluded.switch_version, applied_at_ms = excluded.applied_at_ms,"
        " last_seen_at_ms = excluded.last_seen_at_ms");
}

} // namespace weir::test
