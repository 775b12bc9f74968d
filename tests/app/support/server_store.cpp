// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/server_store.h"

#include <libpq-fe.h>

#include <QDir>
#include <QFile>
#include <QUrl>
#include <QUuid>

namespace weir::test {
namespace {

pg_conn* connect(const QUrl& url)
{
    pg_conn* connection = PQconnectdb(url.toString().toUtf8().constData());
    if (PQstatus(connection) != CONNECTION_OK) qFatal("%s", PQerrorMessage(connection));
    PQsetNoticeProcessor(
        connection, [](void*, const char*) {}, nullptr);
    return connection;
}

QString ask(pg_conn* connection, const std::string& sql)
{
    const std::unique_ptr<PGresult, decltype(&PQclear)> result(
        PQexec(connection, sql.c_str()), &PQclear);
    const ExecStatusType status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        qFatal("%s", PQerrorMessage(connection));
    }
    if (PQntuples(result.get()) == 0 || PQnfields(result.get()) == 0) return {};
    return QString::fromUtf8(PQgetvalue(result.get(), 0, 0));
}

} // namespace

void ServerStore::Close::operator()(pg_conn* connection) const
{
    PQfinish(connection);
}

ServerStore::ServerStore()
{
    QUrl url(qEnvironmentVariable("WEIR_TEST_POSTGRES"));
    m_server.reset(connect(url));
    const QString name =
        QStringLiteral("console_") + QUuid::createUuid().toString(QUuid::Id128).left(12);
    ask(m_server.get(), "CREATE DATABASE " + name.toStdString());
    url.setPath(QStringLiteral("/") + name);
    m_db.reset(connect(url));
    const auto address = model::storeAddress(url.toString());
    if (!address) qFatal("%s", address.error().text().c_str());
    m_address = *address;
    // The agent's own, and what it grants rights on.
    run("CREATE TABLE schema_version (version bigint PRIMARY KEY)");
    // Each file is one statement to the server, and so one transaction.
    const QDir folder(QStringLiteral(WEIR_PG_SQL_DIR));
    for (const QString& each :
         folder.entryList({QStringLiteral("*.sql")}, QDir::Files, QDir::Name)) {
        QFile file(folder.filePath(each));
        if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read %s", qUtf8Printable(each));
        run(file.readAll().toStdString());
    }
    run("INSERT INTO routing_switch (id, mode, version, reason, updated_by) "
        "VALUES (1, 'fixed', 1, 'first start', 'weir-agent');"
        "INSERT INTO routing_settings (id, objective, cost_weight, speed_weight, slow_factor,"
        " switch_margin, exploration_share, exploration_cap, pin_seconds, max_premium, version,"
        " updated_by, reason) VALUES (1, 'score', 0.7, 0.3, 3, 0.05, 0.05, 0.2, 300, 2, 1,"
        " 'weir-agent', 'first start')");
}

ServerStore::~ServerStore()
{
    const std::string name = m_address.database.toStdString();
    m_db.reset();
    ask(m_server.get(), "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
}

void ServerStore::run(const std::string& sql)
{
    ask(m_db.get(), sql);
}

QString ServerStore::value(const std::string& sql)
{
    return ask(m_db.get(), sql);
}

QString ServerStore::login(const std::string& role)
{
    // Users belong to the server, not to the database.
    const std::string name = m_address.database.toStdString() + "_user";
    run("CREATE ROLE " + name + " LOGIN IN ROLE " + role);
    return QString::fromStdString(name);
}

void ServerStore::turn(const std::string& mode, const std::string& by, const std::string& reason)
{
    run("UPDATE routing_switch SET mode = '" + mode + "', version = version + 1, updated_by = '" +
        by + "', reason = '" + reason + "', request_uuid = '' WHERE id = 1");
}

void ServerStore::acknowledge(
    const std::string& agent, const std::string& mode, const std::string& modeReason)
{
    const std::string now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    run("INSERT INTO agent_state (agent, service, host, version, effective_mode, mode_reason,"
        " switch_version, settings_version, applied_at_ms, last_seen_at_ms, store, redis,"
        " ledger_backlog_rows) SELECT '" +
        agent + "', 'code-review', 'devbox', '0.1.0', '" + mode + "', '" + modeReason +
        "', version, 1, " + now + ", " + now + ", 'ok', 'none', 0 FROM routing_switch");
}

void ServerStore::addHistory(
    const std::string& table, std::int64_t startedAtMs, const std::string& task)
{
    const std::string columns =
        "agent, model, provider, task_type, calls, n_ok, n_length, n_refused, n_client_cancelled,"
        " n_bad_request, n_context_overflow, n_model_unavailable, n_auth, n_no_credit,"
        " n_rate_limited, n_overloaded, n_server_error, n_connect_failed, n_reset, n_ttft_timeout,"
        " n_idle_timeout, n_deadline, n_stream_broken, n_malformed, explored, pinned, spilled,"
        " input_uncached, input_cached, cache_write, output, reasoning, tokens_unknown,"
        " cost_micro_usd, cost_unknown, ttft_us, milli_tps";
    run("INSERT INTO " + table + " (started_at_ms, " + columns + ") VALUES (" +
        std::to_string(startedAtMs) + ", 'agent-1', 'm', 'p', '" + task +
        "', 9, 4,0,0,0,1,0,0,0,0,3,0,1,0,0,0,0,0,0,0, 0,0,0, 0,0,0,0,0,0, 77, 0, '70:4', '')");
}

} // namespace weir::test
