// SPDX-License-Identifier: Apache-2.0
#include "agent/store/row_sink.h"

#include "agent/store/ledger_cells.h"

namespace weir::store {
namespace {

std::string insertStatement(
    std::string_view table, std::string_view columns, std::size_t count, std::string_view key)
{
    std::string sql{"INSERT INTO "};
    sql.append(table).append(" (").append(columns).append(") VALUES (?");
    for (std::size_t i = 1; i < count; ++i)
        sql += ", ?";
    return sql.append(") ON CONFLICT (").append(key).append(") DO NOTHING");
}

struct HistorySql
{
    std::string select;
    std::string upsert;
};

HistorySql historySql(std::string_view table)
{
    std::string columns;
    std::string values;
    std::string sums;
    for (const std::string& column : historySumColumns()) {
        columns.append(", ").append(column);
        values += ", ?";
        sums.append(column)
            .append(" = ")
            .append(table)
            .append(".")
            .append(column)
            .append(" + excluded.")
            .append(column)
            .append(", ");
    }
    const std::string name{table};
    return {
        "SELECT ttft_us, milli_tps FROM " + name +
            " WHERE started_at_ms = ? AND agent = ? AND model = ? AND provider = ? AND task_type = "
            "?",
        "INSERT INTO " + name +
            " (started_at_ms, agent, model, provider, task_type, ttft_us, milli_tps" + columns +
            ") VALUES (?, ?, ?, ?, ?, ?, ?" + values +
            ") ON CONFLICT (started_at_ms, agent, model, provider, task_type) DO UPDATE SET " +
            sums + "ttft_us = excluded.ttft_us, milli_tps = excluded.milli_tps"};
}

Status<> addBucket(
    SqlConnection& db, const HistorySql& sql, const HistoryKey& key, const HistoryBucket& bucket)
{
    Histogram ttftUs = bucket.ttftUs;
    Histogram milliTps = bucket.milliTps;
    {
        Statement select(db, sql.select);
        bindKey(select, key);
        const Result<bool> found = select.next();
        if (!found) return tl::unexpected(found.error());
        if (*found) {
            // A histogram that somebody damaged starts anew; the sums beside it go on.
            ttftUs.merge(Histogram::decode(select.text(0)).value_or(Histogram{}));
            milliTps.merge(Histogram::decode(select.text(1)).value_or(Histogram{}));
        }
    }
    const std::string ttftText = ttftUs.encode();
    const std::string tpsText = milliTps.encode();
    Statement upsert(db, sql.upsert);
    bindKey(upsert, key);
    upsert.bind(ttftText).bind(tpsText);
    bindSums(upsert, bucket);
    return upsert.run();
}

} // namespace

RowSink::RowSink(SqlConnection& db)
    : m_db(db)
{
}

Result<std::vector<RowFate>>
RowSink::insert(std::span<const CallRecord> rows, const std::function<void()>& /*meanwhile*/)
{
    static const std::string kAttempt =
        insertStatement("call_ledger", kLedgerColumns, kLedgerColumnCount, "request_id, attempt");
    static const std::string kUnserved =
        insertStatement("unserved_request", kUnservedColumns, kUnservedColumnCount, "request_id");
    Statement insertAttempt(m_db, kAttempt);
    Statement insertUnserved(m_db, kUnserved);
    std::vector<RowFate> fates;
    fates.reserve(rows.size());
    for (const CallRecord& row : rows) {
        const bool isAttempt = row.unserved == Unserved::None;
        Statement& insert = isAttempt ? insertAttempt : insertUnserved;
        isAttempt ? bindRow(insert, row) : bindUnserved(insert, row);
        const Status<> inserted = insert.run();
        if (!inserted && inserted.error().code != "refused") {
            return tl::unexpected(inserted.error());
        }
        if (!inserted)
            fates.push_back(RowFate::Refused);
        else
            fates.push_back(m_db.changes() == 0 ? RowFate::Repeated : RowFate::Inserted);
    }
    return fates;
}

Status<> RowSink::addHistory(const HistoryBuckets& buckets)
{
    static const std::vector<HistorySql> kSql = [] {
        std::vector<HistorySql> all;
        for (const HistoryStep& step : historySteps())
            all.push_back(historySql(step.table));
        return all;
    }();
    for (std::size_t i = 0; i < kSql.size(); ++i) {
        for (const auto& [key, bucket] : coarsened(buckets, historySteps()[i].length)) {
            Status<> added = addBucket(m_db, kSql[i], key, bucket);
            if (!added) return added;
        }
    }
    return {};
}

} // namespace weir::store
