// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/sqlite_connection.h"

#include <QFileInfo>
#include <QSqlQuery>
#include <QUuid>

namespace weir::link {

Result<std::unique_ptr<SqliteConnection>>
SqliteConnection::open(const QString& path, Access access, int busyTimeoutMs)
{
    const std::string where = path.toStdString();
    // The driver would make an empty file of a missing one.
    if (!QFileInfo(path).isFile()) return fail("store", where, "there is no such file");

    std::unique_ptr<SqliteConnection> connection(
        new SqliteConnection(QUuid::createUuid().toString(QUuid::WithoutBraces)));
    QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), connection->m_name);
    db.setDatabaseName(path);
    QString options = QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(busyTimeoutMs);
    if (access == Access::ReadOnly) options += QStringLiteral(";QSQLITE_OPEN_READONLY");
    db.setConnectOptions(options);
    if (!db.open()) return fail("store", where, troubleOf(db.lastError()).toStdString());
    // SQLite looks into the file only now.
    QSqlQuery probe(db);
    if (!probe.exec(QStringLiteral("SELECT count(*) FROM sqlite_schema"))) {
        return fail("store", where, troubleOf(probe.lastError()).toStdString());
    }
    return connection;
}

SqliteConnection::SqliteConnection(QString name)
    : m_name(std::move(name))
{
}

SqliteConnection::~SqliteConnection()
{
    db().close();
    QSqlDatabase::removeDatabase(m_name);
}

QSqlDatabase SqliteConnection::db() const
{
    return QSqlDatabase::database(m_name, false);
}

QString troubleOf(const QSqlError& error)
{
    const QString text = error.databaseText().trimmed();
    if (text.contains(QStringLiteral("locked"))) {
        return QStringLiteral("another process holds the file locked");
    }
    return text.isEmpty() ? QStringLiteral("the store does not answer") : text;
}

} // namespace weir::link
