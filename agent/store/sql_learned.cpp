// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_fleet.h"
#include "agent/store/sql_store.h"
#include "agent/store/sql_transaction.h"

namespace weir::store {
namespace {

constexpr std::string_view kSummaryColumns = "id, computed_at_ms, settings_version, json";

Result<std::optional<SummaryRow>> onlySummary(Statement& select)
{
    const Result<bool> found = select.next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return std::nullopt;
    return SummaryRow{select.text(0), select.integer(1), select.integer(2), select.text(3)};
}

} // namespace

Status<> SqlStore::insertSummary(const SummaryRow& summary, const Lease& lease)
{
    Result<Transaction> transaction = Transaction::begin(m_db);
    if (!transaction) return tl::unexpected(transaction.error());
    if (Status<> held = holdLease(m_db, lease); !held) return held;
    Statement insert(
        m_db,
        "INSERT INTO summary_snapshot (" + std::string{kSummaryColumns} +
            ") VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING");
    Status<> inserted = insert.bind(summary.id)
                            .bind(summary.computedAtMs)
                            .bind(summary.settingsVersion)
                            .bind(summary.json)
                            .run();
    if (!inserted) return inserted;
    return transaction->commit();
}

Result<std::optional<SummaryRow>> SqlStore::latestSummary(const std::string& knownId)
{
    Statement select(
        m_db,
        "SELECT " + std::string{kSummaryColumns} + " FROM (SELECT " + std::string{kSummaryColumns} +
            " FROM summary_snapshot ORDER BY computed_at_ms DESC, id DESC LIMIT 1) AS newest "
            "WHERE id <> ?");
    select.bind(knownId);
    return onlySummary(select);
}

Result<std::optional<SummaryRow>> SqlStore::summary(const std::string& id)
{
    Statement select(
        m_db, "SELECT " + std::string{kSummaryColumns} + " FROM summary_snapshot WHERE id = ?");
    select.bind(id);
    return onlySummary(select);
}

Result<std::int64_t> SqlStore::pruneSummaries(std::int64_t beforeMs)
{
    Statement remove(
        m_db,
        "DELETE FROM summary_snapshot WHERE computed_at_ms < ? AND "
        "computed_at_ms < (SELECT max(computed_at_ms) FROM summary_snapshot)");
    if (const Status<> done = remove.bind(beforeMs).run(); !done) {
        return tl::unexpected(done.error());
    }
    return m_db.changes();
}

Result<std::vector<GateStateRow>> SqlStore::gateStates()
{
    Statement select(
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

Status<> SqlStore::saveGateStates(std::span<const GateStateRow> rows, std::int64_t nowMs)
{
    Result<Transaction> transaction = Transaction::begin(m_db);
    if (!transaction) return tl::unexpected(transaction.error());
    for (const GateStateRow& row : rows) {
        Statement upsert(
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
