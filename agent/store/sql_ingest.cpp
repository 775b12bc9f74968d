// SPDX-License-Identifier: Apache-2.0
#include "agent/store/ledger_row.h"
#include "agent/store/sql_ledger.h"
#include "agent/store/sql_store.h"
#include "agent/store/sql_transaction.h"

namespace weir::store {
namespace {

std::string insertStatement()
{
    std::string sql = "INSERT INTO call_ledger (" + std::string{kLedgerColumns} + ") VALUES (?";
    for (std::size_t i = 1; i < kLedgerColumnCount; ++i)
        sql += ", ?";
    return sql + ") ON CONFLICT (request_id, attempt) DO NOTHING";
}

std::int64_t number(bool value)
{
    return value ? 1 : 0;
}

/// In the order of kLedgerColumns.
void bindRow(Statement& to, const CallRecord& row)
{
    to.bind(row.requestId)
        .bind(std::int64_t{row.attempt})
        .bind(row.agentId)
        .bind(row.service)
        .bind(row.taskId)
        .bind(row.taskType)
        .bind(row.conversation)
        .bind(row.model)
        .bind(row.provider)
        .bind(row.route)
        .bind(toWord(row.protocol))
        .bind(number(row.stream))
        .bind(epochMs(row.startedAt))
        .bind(row.ttftMs)
        .bind(row.durationMs)
        .bind(toWord(row.outcome));
    std::optional<std::int64_t> httpStatus;
    if (row.httpStatus) httpStatus = *row.httpStatus;
    to.bind(httpStatus)
        .bind(row.finishReason)
        .bind(row.usage.inputUncached)
        .bind(row.usage.inputCached)
        .bind(row.usage.cacheWrite)
        .bind(row.usage.output)
        .bind(row.usage.reasoning)
        .bind(number(row.usage.estimated))
        .bind(row.costMicroUsd);
    for (const CallFlag flag :
         {CallFlag::Explored,
          CallFlag::Pinned,
          CallFlag::Spilled,
          CallFlag::Hedged,
          CallFlag::SingleShot}) {
        to.bind(number(row.has(flag)));
    }
    to.bind(number(row.usage.inconsistent))
        .bind(number(row.has(CallFlag::ShadowChoice)))
        .bind(toWord(row.mode))
        .bind(toWord(row.reason))
        .bind(std::int64_t{row.level})
        .bind(row.snapshotId)
        .bind(row.settingsVersion)
        .bind(row.switchVersion)
        .bind(static_cast<std::int64_t>(row.seed))
        .bind(static_cast<std::int64_t>(row.eligibleMask))
        .bind(static_cast<std::int64_t>(row.heldMask));
    if (row.decision.empty())
        to.bind(std::optional<std::int64_t>{});
    else
        to.bind(row.decision);
    to.bind(number(row.last))
        .bind(toWord(row.priority))
        .bind(row.caller)
        .bind(row.regionsAsked)
        .bind(row.termsAsked)
        .bind(row.promptEstimate);
    for (const CallFlag flag : {CallFlag::Mirror, CallFlag::Eval, CallFlag::Drill})
        to.bind(number(row.has(flag)));
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

void bindKey(Statement& to, const HistoryKey& key)
{
    const auto& [start, agent, model, provider, taskType] = key;
    to.bind(start).bind(agent).bind(model).bind(provider).bind(taskType);
}

/// In the order of historySumColumns().
void bindSums(Statement& to, const HistoryBucket& bucket)
{
    to.bind(bucket.sums.calls);
    for (const std::int64_t count : bucket.sums.outcomes)
        to.bind(count);
    to.bind(bucket.explored)
        .bind(bucket.pinned)
        .bind(bucket.spilled)
        .bind(bucket.sums.inputUncached)
        .bind(bucket.sums.inputCached)
        .bind(bucket.sums.cacheWrite)
        .bind(bucket.sums.output)
        .bind(bucket.sums.reasoning)
        .bind(bucket.sums.tokensUnknown)
        .bind(bucket.sums.costMicroUsd)
        .bind(bucket.sums.costUnknown);
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

Status<> addHistory(SqlConnection& db, const HistoryBuckets& buckets)
{
    static const std::vector<HistorySql> kSql = [] {
        std::vector<HistorySql> all;
        for (const HistoryStep& step : historySteps())
            all.push_back(historySql(step.table));
        return all;
    }();
    for (std::size_t i = 0; i < kSql.size(); ++i) {
        for (const auto& [key, bucket] : coarsened(buckets, historySteps()[i].length)) {
            const Status<> added = addBucket(db, kSql[i], key, bucket);
            if (!added) return added;
        }
    }
    return {};
}

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

void bindUnserved(Statement& to, const CallRecord& row)
{
    to.bind(row.requestId)
        .bind(row.agentId)
        .bind(row.service)
        .bind(row.taskId)
        .bind(row.taskType)
        .bind(row.model)
        .bind(epochMs(row.startedAt))
        .bind(toWord(row.unserved))
        .bind(toWord(row.priority))
        .bind(row.caller)
        .bind(row.regionsAsked)
        .bind(row.termsAsked)
        .bind(toWord(row.mode));
}

constexpr std::string_view kInsertUnserved =
    "INSERT INTO unserved_request (request_id, agent, service, task_id, task_type, model, "
    "started_at_ms, why, priority, caller, regions_asked, terms_asked, mode) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (request_id) DO NOTHING";

} // namespace

Result<Ingested> SqlStore::ingest(
    std::span<const CallRecord> records, const std::string& agent, const SpoolPosition& end)
{
    static const std::string kInsert = insertStatement();
    Result<Transaction> transaction = Transaction::begin(m_db);
    if (!transaction) return tl::unexpected(transaction.error());
    Ingested result;
    HistoryBuckets buckets;
    {
        Statement insertAttempt(m_db, kInsert);
        Statement insertUnserved(m_db, kInsertUnserved);
        for (const CallRecord& record : records) {
            const CallRecord row = fitted(record);
            const bool isAttempt = row.unserved == Unserved::None;
            Statement& insert = isAttempt ? insertAttempt : insertUnserved;
            isAttempt ? bindRow(insert, row) : bindUnserved(insert, row);
            const Status<> inserted = insert.run();
            if (!inserted && inserted.error().code != "refused") {
                return tl::unexpected(inserted.error());
            }
            if (!inserted) {
                ++result.refused;
            } else if (m_db.changes() == 0) {
                ++result.repeated;
            } else {
                ++result.inserted;
                const bool isAside = row.has(CallFlag::Mirror) || row.has(CallFlag::Eval);
                if (isAttempt && !isAside) addTo(buckets, row);
            }
        }
    }
    if (const Status<> added = addHistory(m_db, buckets); !added)
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
