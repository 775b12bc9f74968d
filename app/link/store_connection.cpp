// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/store_connection.h"

#include <libpq-fe.h>

#include <QFileInfo>
#include <QSqlDriver>
#include <QSqlQuery>
#include <QUuid>
#include <QVariant>

#include <algorithm>
#include <cstring>

namespace weir::link {
namespace {

tl::unexpected<Error> refused(const model::StoreAddress& address, const QString& why)
{
    // A server is named wherever its trouble is shown.
    return fail("store", address.path.toStdString(), why.toStdString());
}

/// The server keeps the same limits as we do, so that it says itself what took too long.
QString limitsOf(const StoreOptions& options, Access access)
{
    const int answerMs = options.answerTimeoutMs;
    // Less than two seconds mean two to libpq.
    QString words = QStringLiteral("connect_timeout=%1 tcp_user_timeout=%2 options='")
                        .arg(std::max(2, answerMs / 1000))
                        .arg(answerMs);
    words += QStringLiteral("-c lock_timeout=%1 -c statement_timeout=%2 "
                            "-c idle_in_transaction_session_timeout=%3")
                 .arg(options.busyTimeoutMs)
                 .arg(answerMs * 2 / 3)
                 .arg(answerMs / 2);
    if (access == Access::ReadOnly) words += QStringLiteral(" -c default_transaction_read_only=on");
    return words + QStringLiteral("'");
}

int socketOf(const QSqlDatabase& db)
{
    const QVariant handle = db.driver()->handle();
    if (!QByteArray(handle.typeName()).startsWith("pg_conn")) return -1;
    return PQsocket(*static_cast<PGconn* const*>(handle.constData()));
}

} // namespace

Result<std::unique_ptr<StoreConnection>>
StoreConnection::open(const StoreOptions& options, Access access)
{
    std::unique_ptr<StoreConnection> connection(
        new StoreConnection(QUuid::createUuid().toString(QUuid::WithoutBraces)));
    const bool isFile = options.address.kind == model::StoreAddress::Kind::Sqlite;
    Status<> opened =
        isFile ? connection->openFile(options, access) : connection->openServer(options, access);
    if (!opened) return tl::unexpected<Error>(opened.error());
    return connection;
}

StoreConnection::StoreConnection(QString name)
    : m_name(std::move(name))
{
}

StoreConnection::~StoreConnection()
{
    m_watch.reset();
    db().close();
    QSqlDatabase::removeDatabase(m_name);
}

QSqlDatabase StoreConnection::db() const
{
    return QSqlDatabase::database(m_name, false);
}

void StoreConnection::limitAnswer()
{
    if (m_watch) m_watch->set(m_limit);
}

void StoreConnection::endLimit()
{
    if (m_watch) m_watch->clear();
}

Error StoreConnection::explained(Error error)
{
    if (m_watch && m_watch->hasPassed()) {
        error.detail = "no answer within " + std::to_string(m_limit.count()) + " ms";
    }
    return error;
}

Status<> StoreConnection::openFile(const StoreOptions& options, Access access)
{
    const model::StoreAddress& address = options.address;
    // The driver would make an empty file of a missing one.
    if (!QFileInfo(address.path).isFile()) {
        return refused(address, QStringLiteral("there is no such file"));
    }
    QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
    db.setDatabaseName(address.path);
    QString words = QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(options.busyTimeoutMs);
    if (access == Access::ReadOnly) words += QStringLiteral(";QSQLITE_OPEN_READONLY");
    db.setConnectOptions(words);
    if (!db.open()) return refused(address, troubleOf(db.lastError()));
    // SQLite looks into the file only now.
    QSqlQuery probe(db);
    if (!probe.exec(QStringLiteral("SELECT count(*) FROM sqlite_schema"))) {
        return refused(address, troubleOf(probe.lastError()));
    }
    return {};
}

Status<> StoreConnection::openServer(const StoreOptions& options, Access access)
{
    const model::StoreAddress& address = options.address;
    QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), m_name);
    if (!db.isValid()) {
        return refused(
            address, QStringLiteral("Qt's driver for Postgres is missing: libqt6sql6-psql"));
    }
    db.setHostName(address.host);
    if (address.port > 0) db.setPort(address.port);
    db.setDatabaseName(address.database);
    db.setUserName(address.user);
    db.setPassword(address.password);
    db.setConnectOptions(address.more + QChar(' ') + limitsOf(options, access));
    if (!db.open()) return refused(address, troubleOf(db.lastError()));
    const int socket = socketOf(db);
    if (socket < 0) return refused(address, QStringLiteral("the connection has no socket"));
    m_limit = std::chrono::milliseconds{options.answerTimeoutMs};
    m_watch.emplace(socket);
    return {};
}

QString troubleOf(const QSqlError& error)
{
    QString text = error.databaseText().trimmed();
    if (text.contains(QStringLiteral("is locked"))) {
        return QStringLiteral("another process holds the file locked");
    }
    // Of Postgres' several lines the first says what, the others where in the statement.
    text = text.section(QChar('\n'), 0, 0).trimmed();
    for (const char* prefix : {"ERROR:", "FATAL:"}) {
        if (text.startsWith(QLatin1String(prefix))) {
            text = text.mid(static_cast<qsizetype>(std::strlen(prefix))).trimmed();
        }
    }
    return text.isEmpty() ? QStringLiteral("the store does not answer") : text;
}

} // namespace weir::link
