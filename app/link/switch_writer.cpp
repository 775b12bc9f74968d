// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/switch_writer.h"

#include "app/link/store_connection.h"
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
        if (!m_isOpen || !m_db.isOpen()) return;
        QSqlQuery query(m_db);
        query.exec(QStringLiteral("ROLLBACK"));
    }

    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    /// Takes the write lock at once, so that no later statement can fail for a lock, and what
    /// others are still writing is done before we look.
    [[nodiscard]] bool begin(model::StoreAddress::Kind kind, QString& trouble)
    {
        QSqlQuery query(m_db);
        const bool isFile = kind == model::StoreAddress::Kind::Sqlite;
        m_isOpen = query.exec(isFile ? QStringLiteral("BEGIN IMMEDIATE") : QStringLiteral("BEGIN"));
        const bool isLocked =
            m_isOpen &&
            (isFile ||
             query.exec(QStringLiteral("SELECT FROM routing_switch WHERE id = 1 FOR UPDATE")));
        if (!isLocked) trouble = troubleOf(query.lastError());
        return isLocked;
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
    const auto connection = StoreConnection::open(options, Access::ReadWrite);
    if (!connection) return outcome(change, Kind::NotWritten, connection.error().text());
    (*connection)->limitAnswer();
    Transaction transaction((*connection)->db());
    QString trouble;
    SwitchOutcome result = transaction.begin(options.address.kind, trouble)
                               ? attempt((*connection)->db(), change)
                               : outcome(change, Kind::NotWritten, trouble.toStdString());
    if (result.kind == Kind::NotWritten) {
        Error error{"store", options.address.shown().toStdString(), std::move(result.detail)};
        result.detail = (*connection)->explained(std::move(error)).text();
    }
    if (result.kind != Kind::Written) return result;
    if (transaction.commit(options)) return result;
    return outcome(change, Kind::Unknown, "The store did not confirm the commit.");
}

std::optional<SwitchOutcome> resolveSwitch(const StoreOptions& options, const SwitchChange& change)
{
    const auto connection = StoreConnection::open(options, Access::ReadWrite);
    if (!connection) return std::nullopt;
    (*connection)->limitAnswer();
    // A commit that is still on its way holds the lock until the server has done it or given it up.
    Transaction transaction((*connection)->db());
    QString trouble;
    if (!transaction.begin(options.address.kind, trouble)) return std::nullopt;
    const auto written = readWritten((*connection)->db(), change.requestUuid);
    if (!written) return std::nullopt;
    if (*written) return outcome(change, Kind::Written, **written);
    return outcome(change, Kind::NotWritten, "The connection broke before the commit.");
}

} // namespace weir::link
