// SPDX-License-Identifier: Apache-2.0
#include "agent/store/ledger_row.h"
#include "agent/store/sql_store.h"
#include "agent/store/sql_transaction.h"

#include <algorithm>

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

/// The history made of the rows that were new.
HistoryBuckets bucketsOf(std::span<const CallRecord> rows, const std::vector<RowFate>& fates)
{
    HistoryBuckets buckets;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const CallRecord& row = rows[i];
        const bool isAside = row.has(CallFlag::Mirror) || row.has(CallFlag::Eval);
        const bool isCall = row.unserved == Unserved::None && !isAside;
        if (isCall && fates[i] == RowFate::Inserted) addTo(buckets, row);
    }
    return buckets;
}

} // namespace

Result<Ingested> SqlStore::ingest(
    std::vector<CallRecord> records,
    const std::string& agent,
    const SpoolPosition& end,
    const std::function<void()>& meanwhile)
{
    for (CallRecord& record : records)
        fit(record);
    Result<Transaction> transaction = Transaction::begin(m_db);
    if (!transaction) return tl::unexpected(transaction.error());
    // Nearly always every row is new, and there is time to count while the database works.
    const std::vector<RowFate> allNew(records.size(), RowFate::Inserted);
    std::optional<HistoryBuckets> buckets;
    const auto count = [&] {
        buckets = bucketsOf(records, allNew);
        meanwhile();
    };
    const Result<std::vector<RowFate>> fates = m_sink->insert(records, count);
    if (!fates) return tl::unexpected(fates.error());
    if (!buckets || *fates != allNew) buckets = bucketsOf(records, *fates);
    if (const Status<> added = m_sink->addHistory(*buckets); !added)
        return tl::unexpected(added.error());
    if (const Status<> set = setPosition(m_db, agent, end); !set)
        return tl::unexpected(set.error());
    if (const Status<> done = transaction->commit(); !done) return tl::unexpected(done.error());
    return Ingested{
        std::count(fates->begin(), fates->end(), RowFate::Inserted),
        std::count(fates->begin(), fates->end(), RowFate::Repeated),
        std::count(fates->begin(), fates->end(), RowFate::Refused)};
}

std::size_t SqlStore::ledgerBatchRows() const
{
    return m_sink->batchRows();
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
