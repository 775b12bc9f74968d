// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_quality.h"

#include "agent/store/sql_store.h"
#include "agent/store/sql_transaction.h"
#include "common/base/text.h"

#include <algorithm>

namespace weir::store {
namespace {

constexpr int kRunRowsMax = 10'000;

constexpr std::string_view kInsertRun =
    "INSERT INTO eval_run (run, model, provider, task_type, eval_set, eval_set_hash, grader, who, "
    "host, started_at_ms, scored_at_ms, cases, unanswered, cut, tells, score_ppm, "
    "schema_valid_ppm, refused_ppm, input_tokens, output_tokens, cost_micro_usd, latency_p50_ms) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

constexpr std::string_view kUpsertScore =
    "INSERT INTO eval_score (model, provider, task_type, run, eval_set, eval_set_hash, "
    "scored_at_ms, cases, unanswered, score_ppm, schema_valid_ppm, refused_ppm) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (model, provider, task_type) DO UPDATE SET run = excluded.run, "
    "eval_set = excluded.eval_set, eval_set_hash = excluded.eval_set_hash, "
    "scored_at_ms = excluded.scored_at_ms, cases = excluded.cases, "
    "unanswered = excluded.unanswered, score_ppm = excluded.score_ppm, "
    "schema_valid_ppm = excluded.schema_valid_ppm, refused_ppm = excluded.refused_ppm "
    "WHERE excluded.scored_at_ms >= eval_score.scored_at_ms";

EvalRunRow fitted(EvalRunRow row)
{
    QualityScore& score = row.score;
    for (std::string* text :
         {&row.run,
          &row.grader,
          &row.who,
          &row.host,
          &score.model,
          &score.provider,
          &score.taskType,
          &score.evalSet,
          &score.evalSetHash}) {
        *text = cleaned(*text);
    }
    return row;
}

Status<> insertRun(SqlConnection& db, const EvalRunRow& row)
{
    const QualityScore& score = row.score;
    Statement insert(db, kInsertRun);
    return insert.bind(row.run)
        .bind(score.model)
        .bind(score.provider)
        .bind(score.taskType)
        .bind(score.evalSet)
        .bind(score.evalSetHash)
        .bind(row.grader)
        .bind(row.who)
        .bind(row.host)
        .bind(epochMs(row.startedAt))
        .bind(epochMs(score.scoredAt))
        .bind(score.cases)
        .bind(score.unanswered)
        .bind(row.cut)
        .bind(std::int64_t{row.tells ? 1 : 0})
        .bind(score.scorePpm)
        .bind(score.schemaValidPpm)
        .bind(score.refusedPpm)
        .bind(row.inputTokens)
        .bind(row.outputTokens)
        .bind(row.costMicroUsd)
        .bind(row.latencyP50Ms)
        .run();
}

Status<> upsertScore(SqlConnection& db, const EvalRunRow& row)
{
    const QualityScore& score = row.score;
    Statement upsert(db, kUpsertScore);
    return upsert.bind(score.model)
        .bind(score.provider)
        .bind(score.taskType)
        .bind(row.run)
        .bind(score.evalSet)
        .bind(score.evalSetHash)
        .bind(epochMs(score.scoredAt))
        .bind(score.cases)
        .bind(score.unanswered)
        .bind(score.scorePpm)
        .bind(score.schemaValidPpm)
        .bind(score.refusedPpm)
        .run();
}

/// The columns that both tables have, in this order.
constexpr std::string_view kScoreColumns =
    "model, provider, task_type, score_ppm, schema_valid_ppm, refused_ppm, cases, unanswered, "
    "eval_set, eval_set_hash, scored_at_ms";
constexpr int kScoreColumnCount = 11;

QualityScore scoreFrom(const Statement& select)
{
    QualityScore score;
    score.model = select.text(0);
    score.provider = select.text(1);
    score.taskType = select.text(2);
    score.scorePpm = select.integer(3);
    score.schemaValidPpm = select.maybeInteger(4);
    score.refusedPpm = select.maybeInteger(5);
    score.cases = select.integer(6);
    score.unanswered = select.integer(7);
    score.evalSet = select.text(8);
    score.evalSetHash = select.text(9);
    score.scoredAt = fromEpochMs(select.integer(10));
    return score;
}

EvalRunRow runFrom(const Statement& select)
{
    int column = kScoreColumnCount;
    EvalRunRow row;
    row.score = scoreFrom(select);
    row.run = select.text(column++);
    row.grader = select.text(column++);
    row.who = select.text(column++);
    row.host = select.text(column++);
    row.startedAt = fromEpochMs(select.integer(column++));
    row.cut = select.integer(column++);
    row.tells = select.integer(column++) != 0;
    row.inputTokens = select.maybeInteger(column++);
    row.outputTokens = select.maybeInteger(column++);
    row.costMicroUsd = select.maybeInteger(column++);
    row.latencyP50Ms = select.maybeInteger(column++);
    return row;
}

} // namespace

Result<std::vector<QualityScore>> readScores(SqlConnection& db)
{
    static const std::string kSelect = "SELECT " + std::string{kScoreColumns} +
                                       " FROM eval_score ORDER BY model, provider, task_type";
    Statement select(db, kSelect);
    std::vector<QualityScore> scores;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return scores;
        scores.push_back(scoreFrom(select));
    }
}

Status<> SqlStore::saveEvalRun(std::span<const EvalRunRow> rows)
{
    Result<Transaction> transaction = Transaction::begin(m_db);
    if (!transaction) return tl::unexpected(transaction.error());
    for (const EvalRunRow& each : rows) {
        const EvalRunRow row = fitted(each);
        if (Status<> inserted = insertRun(m_db, row); !inserted) return inserted;
        if (!row.tells) continue;
        if (Status<> set = upsertScore(m_db, row); !set) return set;
    }
    return transaction->commit();
}

Result<std::vector<QualityScore>> SqlStore::qualityScores()
{
    return readScores(m_db);
}

Result<std::vector<EvalRunRow>> SqlStore::evalRuns(const std::string& run, int limit)
{
    static const std::string kSelect =
        "SELECT " + std::string{kScoreColumns} +
        ", run, grader, who, host, started_at_ms, cut, tells, input_tokens, output_tokens, "
        "cost_micro_usd, latency_p50_ms FROM eval_run WHERE ? = '' OR run = ? "
        "ORDER BY scored_at_ms DESC, run, model, provider LIMIT ?";
    Statement select(m_db, kSelect);
    select.bind(run).bind(run).bind(std::int64_t{std::clamp(limit, 1, kRunRowsMax)});
    std::vector<EvalRunRow> rows;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return rows;
        rows.push_back(runFrom(select));
    }
}

} // namespace weir::store
