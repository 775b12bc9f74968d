// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sqlite_store.h"
#include "common/base/siphash.h"
#include "common/model/throughput.h"

#include <algorithm>

namespace weir::store {
namespace {

/// Task ids are compared only with each other: no secret is needed.
constexpr HashKey kTaskKey{0x7765'6972, 0x7461'736b};
constexpr std::int64_t kUsPerMs = 1000;

FactRow factFrom(const SqliteStatement& row)
{
    CallRecord record;
    FactRow result;
    result.row = row.integer(0);
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

} // namespace

Result<std::int64_t> SqliteStore::rowBefore(std::int64_t startedAtMs)
{
    SqliteStatement select(
        m_db,
        "SELECT coalesce((SELECT rowid - 1 FROM call_ledger WHERE started_at_ms >= ? "
        "ORDER BY started_at_ms, request_id, attempt LIMIT 1), "
        "(SELECT max(rowid) FROM call_ledger), 0)");
    const Result<bool> found = select.bind(startedAtMs).next();
    if (!found) return tl::unexpected(found.error());
    return select.integer(0);
}

Result<std::vector<FactRow>> SqliteStore::facts(std::int64_t afterRow, int limit)
{
    SqliteStatement select(
        m_db,
        "SELECT rowid, model, task_type, provider, task_id, started_at_ms, ttft_ms, duration_ms, "
        "outcome, stream, input_uncached, input_cached, cache_write, output, cost_micro_usd, "
        "explored, single_shot, spilled, request_id, attempt, reason, prompt_estimate, final, "
        "mirror OR eval, tokens_estimated, priority, drill FROM call_ledger WHERE rowid > ? "
        "ORDER BY rowid LIMIT ?");
    select.bind(afterRow).bind(std::int64_t{std::clamp(limit, 1, kFactPageMax)});
    std::vector<FactRow> rows;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return rows;
        rows.push_back(factFrom(select));
    }
}

Status<> SqliteStore::eachRouteStep(
    RouteStepLength length, std::int64_t fromMs, std::int64_t toMs, const SeeRouteStep& see)
{
    static const std::string kMinutes = routeSteps("route_minute");
    static const std::string kTenMinutes = routeSteps("route_10min");
    SqliteStatement select(m_db, length == RouteStepLength::Minute ? kMinutes : kTenMinutes);
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
