// SPDX-License-Identifier: Apache-2.0
#include "agent/store/ledger_row.h"
#include "agent/store/sql_store.h"
#include "agent/store/sql_transaction.h"

namespace weir::store {
namespace {

Status<> setPosition(SqlConnection& db, const std::string& agent, const SpoolPosition& end)
{
    Statement upsert(
        db,
        "INSERT INTO spool_position (agent, segment, segment_id, \"offset\") VALUES (?, ?, ?, ?) "
        "ON CONFLICT (agent) DO UPDATE SET segment = excluded.segment, "
        "segment_id = excluded.segment_id, \"offset\" = excluded.\"offset\"");
    return upsert.bind(agent)
        .bind(static_cast<std::int64_t>(end.segment))
        .bind(static_cast<std::int64_t>(end.segmentId))
        .bind(static_cast<std::int64_t>(end.offset))
        .run();
}

} // namespace

Result<Ingested> SqlStore::ingest(
    std::span<const CallRecord> records, const std::string& agent, const SpoolPosition& end)
{
    std::vector<CallRecord> rows;
    rows.reserve(records.size());
    for (const CallRecord& record : records)
        rows.push_back(fitted(record));
    Result<Transaction> transaction = Transaction::begin(m_db);
    if (!transaction) return tl::unexpected(transaction.error());
    const Result<std::vector<RowFate>> fates = m_sink->insert(rows);
    if (!fates) return tl::unexpected(fates.error());
    Ingested result;
    HistoryBuckets buckets;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const RowFate fate = (*fates)[i];
        if (fate == RowFate::Refused) ++result.refused;
        if (fate == RowFate::Repeated) ++result.repeated;
        if (fate != RowFate::Inserted) continue;
        ++result.inserted;
        const CallRecord& row = rows[i];
        const bool isAside = row.has(CallFlag::Mirror) || row.has(CallFlag::Eval);
        if (row.unserved == Unserved::None && !isAside) addTo(buckets, row);
    }
    if (const Status<> added = m_sink->addHistory(buckets); !added)
        return tl::unexpected(added.error());
    if (const Status<> set = setPosition(m_db, agent, end); !set)
        return tl::unexpected(set.error());
    if (const Status<> done = transaction->commit(); !done) return tl::unexpected(done.error());
    return result;
}

Result<std::optional<SpoolPosition>> SqlStore::spoolPosition(const std::string& agent)
{
    Statement select(
        m_db, "SELECT segment, segment_id, \"offset\" FROM spool_position WHERE agent = ?");
    const Result<bool> found = select.bind(agent).next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return std::nullopt;
    return SpoolPosition{
        static_cast<std::uint64_t>(select.integer(0)),
        static_cast<std::uint64_t>(select.integer(1)),
        static_cast<std::uint64_t>(select.integer(2))};
}

} // namespace weir::store
