// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sqlite_store.h"

namespace weir::store {
namespace {

constexpr std::string_view kSummaryColumns = "id, computed_at_ms, settings_version, json";

Result<std::optional<SummaryRow>> onlySummary(SqliteStatement& select)
{
    const Result<bool> found = select.next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return std::nullopt;
    return SummaryRow{select.text(0), select.integer(1), select.integer(2), select.text(3)};
}

} // namespace

Status<> SqliteStore::insertSummary(const SummaryRow& summary)
{
    SqliteStatement insert(
        m_db,
        "INSERT INTO summary_snapshot (" + std::string{kSummaryColumns} +
            ") VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING");
    return insert.bind(summary.id)
        .bind(summary.computedAtMs)
        .bind(summary.settingsVersion)
        .bind(summary.json)
        .run();
}

Result<std::optional<SummaryRow>> SqliteStore::latestSummary()
{
    SqliteStatement select(
        m_db,
        "SELECT " + std::string{kSummaryColumns} +
            " FROM summary_snapshot ORDER BY computed_at_ms DESC, id DESC LIMIT 1");
    return onlySummary(select);
}

Result<std::optional<SummaryRow>> SqliteStore::summary(const std::string& id)
{
    SqliteStatement select(
        m_db, "SELECT " + std::string{kSummaryColumns} + " FROM summary_snapshot WHERE id = ?");
    select.bind(id);
    return onlySummary(select);
}

Result<std::int64_t> SqliteStore::pruneSummaries(std::int64_t beforeMs)
{
    SqliteStatement remove(
        m_db,
        "DELETE FROM summary_snapshot WHERE computed_at_ms < ? AND "
        "computed_at_ms < (SELECT max(computed_at_ms) FROM summary_snapshot)");
    if (const Status<> done = remove.bind(beforeMs).run(); !done) {
        return tl::unexpected(done.error());
    }
    return m_db.changes();
}

Result<std::vector<GateStateRow>> SqliteStore::gateStates()
{
    SqliteStatement select(
        m_db,
        "SELECT model, provider, first_seen_ms, state FROM gate_state ORDER BY model, provider");
    std::vector<GateStateRow> rows;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return rows;
        rows.push_back({select.text(0), select.text(1), select.integer(2), select.text(3)});
    }
}

Status<> SqliteStore::saveGateStates(std::span<const GateStateRow> rows, std::int64_t nowMs)
{
    Result<SqliteTransaction> transaction = SqliteTransaction::begin(m_db);
    if (!transaction) return tl::unexpected(transaction.error());
    for (const GateStateRow& row : rows) {
        SqliteStatement upsert(
            m_db,
            "INSERT INTO gate_state (model, provider, first_seen_ms, updated_at_ms, state) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT (model, provider) DO UPDATE SET "
            "updated_at_ms = excluded.updated_at_ms, state = excluded.state");
        const Status<> done = upsert.bind(row.model)
                                  .bind(row.provider)
                                  .bind(row.firstSeenMs)
                                  .bind(nowMs)
                                  .bind(row.state)
                                  .run();
        if (!done) return done;
    }
    return transaction->commit();
}

} // namespace weir::store
