// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_store.h"
#include "common/base/siphash.h"
#include "common/model/throughput.h"

#include <algorithm>

namespace weir::store {
namespace {

/// Task ids are compared only with each other: no secret is needed.
constexpr HashKey kTaskKey{0x7765'6972, 0x7461'736b};
constexpr std::int64_t kUsPerMs = 1000;

FactRow factFrom(const Statement& row)
{
    CallRecord record;
    FactRow result;
    result.at = {row.integer(27), row.integer(0)};
    result.model = row.text(1);
    result.taskType = row.text(2);
    result.provider = row.text(3);
    CallFact& fact = result.fact;
    fact.task = sipHash(kTaskKey, row.text(4));
    fact.startedMs = row.integer(5);
    record.ttftMs = row.maybeInteger(6);
    record.durationMs = row.integer(7);
    record.outcome = outcomeFromWord(row.text(8)).value_or(Outcome::Malformed);
    record.stream = row.integer(9) != 0;
    record.usage.inputUncached = row.maybeInteger(10);
    record.usage.inputCached = row.maybeInteger(11);
    record.usage.cacheWrite = row.maybeInteger(12);
    record.usage.output = row.maybeInteger(13);
    fact.costMicroUsd = row.maybeInteger(14).value_or(-1);
    fact.explored = row.integer(15) != 0;
    fact.singleShot = row.integer(16) != 0;
    fact.spilled = row.integer(17) != 0;
    result.requestId = row.text(18);
    result.attempt = static_cast<int>(row.integer(19));
    result.reason = reasonFromWord(row.text(20)).value_or(Reason::Fixed);
    fact.promptEstimate = row.maybeInteger(21).value_or(-1);
    fact.last = row.integer(22) != 0;
    fact.aside = row.integer(23) != 0;
    fact.tokensEstimated = row.integer(24) != 0;
    result.batch = row.text(25) == toWord(Priority::Batch);
    fact.drilled = row.integer(26) != 0;
    fact.endedMs = fact.startedMs + record.durationMs;
    fact.outcome = record.outcome;
    if (record.ttftMs) fact.ttftUs = *record.ttftMs * kUsPerMs;
    fact.durationUs = record.durationMs * kUsPerMs;
    fact.inputUncached = record.usage.inputUncached.value_or(-1);
    fact.inputCached = record.usage.inputCached.value_or(-1);
    fact.cacheWrite = record.usage.cacheWrite.value_or(-1);
    fact.output = record.usage.output.value_or(-1);
    fact.milliTps = milliTokensPerS(record).value_or(-1);
    return result;
}

std::string routeSteps(std::string_view table)
{
    std::string columns;
    for (std::size_t i = 0; i < kOutcomeCount; ++i)
        columns.append(", n_").append(toWord(static_cast<Outcome>(i)));
    return "SELECT started_at_ms, model, provider, task_type, ttft_us" + columns + " FROM " +
           std::string{table} +
           " WHERE started_at_ms >= ? AND started_at_ms < ? ORDER BY started_at_ms";
}

/// The order in which rows came in. In Postgres rows become visible in another order than they are
/// numbered in, so that a reader would pass by one that is committed late: there, rows are ordered
/// by their transactions, and only those are read before which none can come any more.
struct FactOrder
{
    std::string_view row;
    std::string_view xact;
    std::string_view behind;
    std::string_view ascending;
    std::string_view settled;
    /// Where to look for the first of those that started at a time or later.
    std::string_view first;
    std::string_view descending;
};

constexpr FactOrder kSqliteOrder{
    "rowid",
    "0",
    "? >= 0 AND rowid > ?",
    "rowid",
    "rowid > 0",
    "started_at_ms, request_id, attempt",
    "rowid DESC"};
constexpr FactOrder kPostgresOrder{
    "\"row\"",
    "xact",
    "xact < pg_snapshot_xmin(pg_current_snapshot()) AND (xact, \"row\") > (?, ?)",
    "xact, \"row\"",
    "xact < pg_snapshot_xmin(pg_current_snapshot())",
    "xact, \"row\"",
    "xact DESC, \"row\" DESC"};

const FactOrder& orderOf(Dialect dialect)
{
    return dialect == Dialect::Postgres ? kPostgresOrder : kSqliteOrder;
}

std::string factsSql(const FactOrder& order)
{
    return "SELECT " + std::string{order.row} +
           ", model, task_type, provider, task_id, started_at_ms, ttft_ms, duration_ms, "
           "outcome, stream, input_uncached, input_cached, cache_write, output, cost_micro_usd, "
           "explored, single_shot, spilled, request_id, attempt, reason, prompt_estimate, final, "
           "mirror + eval, tokens_estimated, priority, drill, " +
           std::string{order.xact} + " FROM call_ledger WHERE " + std::string{order.behind} +
           " ORDER BY " + std::string{order.ascending} + " LIMIT ?";
}

Result<std::optional<FactCursor>> onlyPlace(Statement& select)
{
    const Result<bool> found = select.next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return std::nullopt;
    return FactCursor{select.integer(0), select.integer(1)};
}

} // namespace

Result<FactCursor> SqlStore::rowBefore(std::int64_t startedAtMs)
{
    const FactOrder& order = orderOf(m_db.dialect());
    const std::string select = "SELECT " + std::string{order.xact} + ", " + std::string{order.row} +
                               " FROM call_ledger WHERE " + std::string{order.settled};
    Statement first(
        m_db, select + " AND started_at_ms >= ? ORDER BY " + std::string{order.first} + " LIMIT 1");
    first.bind(startedAtMs);
    const Result<std::optional<FactCursor>> begin = onlyPlace(first);
    if (!begin) return tl::unexpected(begin.error());
    if (*begin) return FactCursor{(*begin)->xact, (*begin)->row - 1};
    Statement last(m_db, select + " ORDER BY " + std::string{order.descending} + " LIMIT 1");
    const Result<std::optional<FactCursor>> end = onlyPlace(last);
    if (!end) return tl::unexpected(end.error());
    return end->value_or(FactCursor{});
}

Result<std::vector<FactRow>> SqlStore::facts(const FactCursor& after, int limit)
{
    static const std::string kSqlite = factsSql(kSqliteOrder);
    static const std::string kPostgres = factsSql(kPostgresOrder);
    Statement select(m_db, m_db.dialect() == Dialect::Postgres ? kPostgres : kSqlite);
    select.bind(after.xact).bind(after.row).bind(std::int64_t{std::clamp(limit, 1, kFactPageMax)});
    std::vector<FactRow> rows;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return rows;
        rows.push_back(factFrom(select));
    }
}

Status<> SqlStore::eachRouteStep(
    RouteStepLength length, std::int64_t fromMs, std::int64_t toMs, const SeeRouteStep& see)
{
    static const std::string kMinutes = routeSteps("route_minute");
    static const std::string kTenMinutes = routeSteps("route_10min");
    const std::string& sql = length == RouteStepLength::Minute ? kMinutes : kTenMinutes;
    Statement select(m_db, sql, Rows::Streamed);
    select.bind(fromMs).bind(toMs);
    RouteStep step;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return {};
        step.startedMs = select.integer(0);
        step.model = select.text(1);
        step.provider = select.text(2);
        step.taskType = select.text(3);
        step.ttftUs = Histogram::decode(select.text(4)).value_or(Histogram{});
        int column = 5;
        for (std::int64_t& count : step.outcomes)
            count = select.integer(column++);
        see(step);
    }
}

} // namespace weir::store
