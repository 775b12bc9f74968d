// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg_arrays.h"
#include "agent/store/pg_sink.h"
#include "agent/store/sql_ledger.h"

#include <map>

namespace weir::store {
namespace {

struct HistorySql
{
    /// The histograms of the rows that are there, by their places in the arrays of keys, from 1;
    /// locked, so that they do not settle (weir_ledger_settle) before they are written.
    std::string select;
    std::string upsert;
};

struct Histograms
{
    Histogram ttftUs;
    Histogram milliTps;
};

HistorySql historySql(std::string_view table)
{
    std::string columns = "started_at_ms, agent, model, provider, task_type, ttft_us, milli_tps";
    std::string arrays = "?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[]";
    const std::string keys = arrays;
    arrays += ", ?::text[], ?::text[]";
    std::string sums;
    for (const std::string& column : historySumColumns()) {
        columns.append(", ").append(column);
        arrays += ", ?::bigint[]";
        sums.append(column).append(" = ").append(table).append(".").append(column);
        sums.append(" + excluded.").append(column).append(", ");
    }
    const std::string name{table};
    return {
        "SELECT k.n, t.ttft_us, t.milli_tps FROM unnest(" + keys +
            ") WITH ORDINALITY AS k(started_at_ms, agent, model, provider, task_type, n) JOIN " +
            name +
            " AS t ON t.started_at_ms = k.started_at_ms AND t.agent = k.agent COLLATE \"C\" AND "
            "t.model = k.model COLLATE \"C\" AND t.provider = k.provider COLLATE \"C\" AND "
            "t.task_type = k.task_type COLLATE \"C\" FOR UPDATE OF t",
        "INSERT INTO " + name + " (" + columns + ") SELECT * FROM unnest(" + arrays +
            ") ON CONFLICT (started_at_ms, agent, model, provider, task_type) DO UPDATE SET " +
            sums + "ttft_us = excluded.ttft_us, milli_tps = excluded.milli_tps"};
}

/// What the database has of these buckets, by their places; one that somebody damaged starts anew.
Result<std::map<std::int64_t, Histograms>>
knownOf(PgConnection& db, const std::string& sql, const HistoryBuckets& buckets)
{
    PgArrays keys;
    for (const auto& [key, bucket] : buckets) {
        bindKey(keys, key);
        keys.endRow();
    }
    Statement select(db, sql);
    keys.bindTo(select);
    std::map<std::int64_t, Histograms> known;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return known;
        Histograms& histograms = known[select.integer(0)];
        histograms.ttftUs = Histogram::decode(select.text(1)).value_or(Histogram{});
        histograms.milliTps = Histogram::decode(select.text(2)).value_or(Histogram{});
    }
}

Status<> addStep(PgConnection& db, const HistorySql& sql, const HistoryBuckets& buckets)
{
    Result<std::map<std::int64_t, Histograms>> known = knownOf(db, sql.select, buckets);
    if (!known) return tl::unexpected(known.error());
    PgArrays rows;
    std::int64_t place = 0;
    for (const auto& [key, bucket] : buckets) {
        bindKey(rows, key);
        const auto before = known->find(++place);
        if (before == known->end()) {
            rows.bind(bucket.ttftUs.encode()).bind(bucket.milliTps.encode());
        } else {
            Histograms& sum = before->second;
            sum.ttftUs.merge(bucket.ttftUs);
            sum.milliTps.merge(bucket.milliTps);
            rows.bind(sum.ttftUs.encode()).bind(sum.milliTps.encode());
        }
        bindSums(rows, bucket);
        rows.endRow();
    }
    Statement upsert(db, sql.upsert);
    rows.bindTo(upsert);
    return upsert.run();
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
    if (Status<> added = addStep(m_db, kSql.front(), buckets); !added) return added;
    // Each step of the one before.
    HistoryBuckets coarse = coarsened(buckets, historySteps()[1].length);
    for (std::size_t i = 1; i < kSql.size(); ++i) {
        if (i > 1) coarse = coarsened(coarse, historySteps()[i].length);
        if (Status<> added = addStep(m_db, kSql[i], coarse); !added) return added;
    }
    return {};
}

} // namespace weir::store
