// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg_sink.h"
#include "agent/store/sql_ledger.h"

#include <nlohmann/json.hpp>

namespace weir::store {
namespace {

using Json = nlohmann::ordered_json;

struct HistorySql
{
    /// The histograms of the rows that are there, by their places in the array of keys; locked, so
    /// that they do not settle (weir_ledger_settle) before they are written.
    std::string select;
    std::string upsert;
};

HistorySql historySql(std::string_view table)
{
    std::string columns = "started_at_ms, agent, model, provider, task_type, ttft_us, milli_tps";
    std::string sums;
    for (const std::string& column : historySumColumns()) {
        columns.append(", ").append(column);
        sums.append(column).append(" = ").append(table).append(".").append(column);
        sums.append(" + excluded.").append(column).append(", ");
    }
    const std::string name{table};
    return {
        "SELECT k.n, t.ttft_us, t.milli_tps FROM json_to_recordset(?::json) AS k(n bigint, "
        "started_at_ms bigint, agent text, model text, provider text, task_type text) JOIN " +
            name +
            " AS t ON t.started_at_ms = k.started_at_ms AND t.agent = k.agent COLLATE \"C\" AND "
            "t.model = k.model COLLATE \"C\" AND t.provider = k.provider COLLATE \"C\" AND "
            "t.task_type = k.task_type COLLATE \"C\" FOR UPDATE OF t",
        "INSERT INTO " + name + " (" + columns + ") SELECT " + columns +
            " FROM json_populate_recordset(NULL::" + name +
            ", ?::json) ON CONFLICT (started_at_ms, agent, model, provider, task_type) DO UPDATE "
            "SET " +
            sums + "ttft_us = excluded.ttft_us, milli_tps = excluded.milli_tps"};
}

Json keyJson(const HistoryKey& key)
{
    const auto& [start, agent, model, provider, taskType] = key;
    return {
        {"started_at_ms", start},
        {"agent", agent},
        {"model", model},
        {"provider", provider},
        {"task_type", taskType}};
}

/// Binds a bucket's sums to the columns of their names.
class SumsJson final
{
public:
    explicit SumsJson(Json& row)
        : m_row(row)
    {
    }

    SumsJson& bind(std::int64_t sum)
    {
        m_row[historySumColumns().at(m_next++)] = sum;
        return *this;
    }

private:
    Json& m_row;
    std::size_t m_next = 0;
};

/// Adds what the database has to the histograms; those that somebody damaged start anew.
Status<> mergeKnown(
    PgConnection& db,
    const std::string& sql,
    std::vector<HistoryBucket*>& buckets,
    const std::string& keys)
{
    Statement select(db, sql);
    select.bind(keys);
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return {};
        HistoryBucket& bucket = *buckets.at(static_cast<std::size_t>(select.integer(0)));
        bucket.ttftUs.merge(Histogram::decode(select.text(1)).value_or(Histogram{}));
        bucket.milliTps.merge(Histogram::decode(select.text(2)).value_or(Histogram{}));
    }
}

Status<> addStep(PgConnection& db, const HistorySql& sql, HistoryBuckets buckets)
{
    Json rows = Json::array();
    std::vector<HistoryBucket*> all;
    for (auto& [key, bucket] : buckets) {
        Json& row = rows.emplace_back(keyJson(key));
        row["n"] = all.size();
        all.push_back(&bucket);
    }
    const std::string keys = rows.dump();
    if (Status<> merged = mergeKnown(db, sql.select, all, keys); !merged) return merged;
    for (std::size_t i = 0; i < all.size(); ++i) {
        rows[i]["ttft_us"] = all[i]->ttftUs.encode();
        rows[i]["milli_tps"] = all[i]->milliTps.encode();
        SumsJson sums(rows[i]);
        bindSums(sums, *all[i]);
    }
    const std::string values = rows.dump();
    return Statement(db, sql.upsert).bind(values).run();
}

} // namespace

Status<> PgSink::addHistory(const HistoryBuckets& buckets)
{
    static const std::vector<HistorySql> kSql = [] {
        std::vector<HistorySql> all;
        for (const HistoryStep& step : historySteps())
            all.push_back(historySql(step.table));
        return all;
    }();
    if (buckets.empty()) return {};
    for (std::size_t i = 0; i < kSql.size(); ++i) {
        const Status<> added = addStep(m_db, kSql[i], coarsened(buckets, historySteps()[i].length));
        if (!added) return added;
    }
    return {};
}

} // namespace weir::store
