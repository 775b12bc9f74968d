// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/switch_writer.h"

#include "app/link/sqlite_connection.h"
#include "app/link/store_rows.h"

#include <QSqlQuery>
#include <QVariant>

namespace weir::link {
namespace {

using Kind = SwitchOutcome::Kind;

SwitchOutcome outcome(const SwitchChange& change, Kind kind, std::string detail)
{
    SwitchOutcome result;
    result.kind = kind;
    result.requestUuid = change.requestUuid;
    result.detail = std::move(detail);
    return result;
}

SwitchOutcome outcome(const SwitchChange& change, Kind kind, RoutingSwitch row)
{
    SwitchOutcome result = outcome(change, kind, std::string{});
    result.row = std::move(row);
    return result;
}

/// Rolls back unless committed.
class Transaction final
{
public:
    explicit Transaction(QSqlDatabase db)
        : m_db(std::move(db))
    {
    }

    ~Transaction()
    {
        if (!m_isOpen) return;
        QSqlQuery query(m_db);
        query.exec(QStringLiteral("ROLLBACK"));
    }

    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    /// Takes the write lock at once, so that no later statement can fail for a lock.
    [[nodiscard]] bool begin(QString& trouble)
    {
        QSqlQuery query(m_db);
        m_isOpen = query.exec(QStringLiteral("BEGIN IMMEDIATE"));
        if (!m_isOpen) trouble = troubleOf(query.lastError());
        return m_isOpen;
    }

    [[nodiscard]] bool commit(const StoreOptions& options)
    {
        m_isOpen = !options.commit(m_db);
        return !m_isOpen;
    }

private:
    QSqlDatabase m_db;
    bool m_isOpen = false;
};

bool update(QSqlQuery& query, const SwitchChange& change)
{
    query.prepare(QStringLiteral(
        "UPDATE routing_switch SET mode = ?, version = version + 1, reason = ?, updated_by = ?, "
        "updated_host = ?, request_uuid = ? WHERE id = 1 AND version = ?"));
    const std::string_view mode = toWord(change.target);
    query.addBindValue(QString::fromLatin1(mode.data(), static_cast<qsizetype>(mode.size())));
    query.addBindValue(QString::fromStdString(change.reason));
    query.addBindValue(QString::fromStdString(change.by));
    query.addBindValue(QString::fromStdString(change.host));
    query.addBindValue(QString::fromStdString(change.requestUuid));
    query.addBindValue(QVariant::fromValue(static_cast<qlonglong>(change.expectedVersion)));
    return query.exec();
}

/// The transaction's body. Written here still has to be committed.
SwitchOutcome attempt(QSqlDatabase db, const SwitchChange& change)
{
    const auto earlier = readWritten(db, change.requestUuid);
    if (!earlier) return outcome(change, Kind::NotWritten, earlier.error().detail);
    if (*earlier) return outcome(change, Kind::Written, **earlier);

    QSqlQuery query(db);
    if (!update(query, change)) {
        return outcome(change, Kind::NotWritten, troubleOf(query.lastError()).toStdString());
    }
    const bool isOurs = query.numRowsAffected() == 1;
    const auto row = readSwitch(db);
    if (!row) return outcome(change, Kind::NotWritten, row.error().text());
    return outcome(change, isOurs ? Kind::Written : Kind::Conflict, *row);
}

} // namespace

SwitchOutcome writeSwitch(const StoreOptions& options, const SwitchChange& change)
{
    const auto connection =
        SqliteConnection::open(options.path, Access::ReadWrite, options.busyTimeoutMs);
    if (!connection) return outcome(change, Kind::NotWritten, connection.error().text());
    Transaction transaction((*connection)->db());
    QString trouble;
    if (!transaction.begin(trouble)) {
        return outcome(
            change, Kind::NotWritten, options.path.toStdString() + ": " + trouble.toStdString());
    }
    SwitchOutcome result = attempt((*connection)->db(), change);
    if (result.kind != Kind::Written) return result;
    if (transaction.commit(options)) return result;
    return outcome(change, Kind::Unknown, "The store did not confirm the commit.");
}

std::optional<SwitchOutcome> resolveSwitch(const StoreOptions& options, const SwitchChange& change)
{
    const auto connection =
        SqliteConnection::open(options.path, Access::ReadOnly, options.busyTimeoutMs);
    if (!connection) return std::nullopt;
    const auto written = readWritten((*connection)->db(), change.requestUuid);
    if (!written) return std::nullopt;
    if (*written) return outcome(change, Kind::Written, **written);
    return outcome(change, Kind::NotWritten, "The connection broke before the commit.");
}

} // namespace weir::link
