// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_store.h"
#include "common/base/siphash.h"

namespace weir::store {
namespace {

/// Task ids are compared only with each other: no secret is needed.
constexpr HashKey kTaskKey{0x7265'706f, 0x7461'736b};
/// No request lives longer: its last attempt begins at most so long after its first.
constexpr std::int64_t kRequestLifeMaxMs = 3'600'000;

constexpr std::string_view kAttempts =
    "SELECT attempt, started_at_ms, task_type, task_id, model, provider, route, outcome, ttft_ms, "
    "cost_micro_usd, level, final, priority, regions_asked, mirror + eval, "
    "CASE WHEN attempt = 1 THEN started_at_ms ELSE (SELECT min(first.started_at_ms) "
    "FROM call_ledger AS first WHERE first.request_id = call_ledger.request_id "
    "AND first.started_at_ms BETWEEN call_ledger.started_at_ms - 3600000 "
    "AND call_ledger.started_at_ms) END, request_id, "
    "terms_asked, explored "
    "FROM call_ledger WHERE started_at_ms >= ? AND started_at_ms < ? "
    "ORDER BY started_at_ms, request_id, attempt";
constexpr std::string_view kUnserved =
    "SELECT started_at_ms, task_type, why, priority FROM unserved_request "
    "WHERE started_at_ms >= ? AND started_at_ms < ? ORDER BY started_at_ms";

Priority priorityOf(const std::string& word)
{
    return priorityFromWord(word).value_or(Priority::Interactive);
}

void read(const Statement& row, AttemptRow& attempt)
{
    attempt.attempt = static_cast<int>(row.integer(0));
    attempt.startedMs = row.integer(1);
    attempt.taskType = row.text(2);
    attempt.task = sipHash(kTaskKey, row.text(3));
    attempt.model = row.text(4);
    attempt.provider = row.text(5);
    attempt.route = row.text(6);
    attempt.outcome = outcomeFromWord(row.text(7)).value_or(Outcome::Malformed);
    attempt.ttftMs = row.maybeInteger(8);
    attempt.costMicroUsd = row.maybeInteger(9);
    attempt.level = static_cast<int>(row.integer(10));
    attempt.last = row.integer(11) != 0;
    attempt.priority = priorityOf(row.text(12));
    attempt.regionsAsked = row.text(13);
    attempt.aside = row.integer(14) != 0;
    attempt.requestStartedMs = row.integer(15);
    attempt.requestId = row.text(16);
    attempt.termsAsked = row.text(17);
    attempt.explored = row.integer(18) != 0;
}

bool isAsked(const RequestQuery& query, std::int64_t startedMs, const std::string& taskType)
{
    return startedMs >= query.fromMs && startedMs < query.toMs &&
           (query.taskType.empty() || query.taskType == taskType);
}

} // namespace

Status<> SqlStore::eachAttempt(const RequestQuery& query, const SeeAttempt& see)
{
    Statement select(m_db, kAttempts, Rows::Streamed);
    select.bind(query.fromMs).bind(query.toMs + kRequestLifeMaxMs);
    AttemptRow attempt;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return {};
        read(select, attempt);
        if (isAsked(query, attempt.requestStartedMs, attempt.taskType)) see(attempt);
    }
}

Status<> SqlStore::eachUnserved(const RequestQuery& query, const SeeUnserved& see)
{
    Statement select(m_db, kUnserved, Rows::Streamed);
    select.bind(query.fromMs).bind(query.toMs);
    UnservedRow unserved;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return {};
        unserved.startedMs = select.integer(0);
        unserved.taskType = select.text(1);
        unserved.why = unservedFromWord(select.text(2)).value_or(Unserved::NoRoute);
        unserved.priority = priorityOf(select.text(3));
        if (isAsked(query, unserved.startedMs, unserved.taskType)) see(unserved);
    }
}

} // namespace weir::store
