// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_store.h"
#include "agent/store/sql_transaction.h"

namespace weir::store {
namespace {

constexpr std::string_view kMirrorColumns =
    "request_id, at_ms, task_type, served_model, served_provider, served_outcome, "
    "served_schema_valid, served_refused, served_score_ppm, served_ttft_ms, served_duration_ms, "
    "served_output, served_cost_micro_usd, candidate_model, candidate_provider, "
    "candidate_outcome, candidate_schema_valid, candidate_refused, candidate_score_ppm, "
    "candidate_ttft_ms, candidate_duration_ms, candidate_output, candidate_cost_micro_usd";
constexpr int kServedAt = 3;
constexpr int kCandidateAt = 13;

void bindSide(Statement& insert, const MirrorSide& side)
{
    std::optional<std::int64_t> valid;
    if (side.schemaValid) valid = *side.schemaValid ? 1 : 0;
    insert.bind(side.model)
        .bind(side.provider)
        .bind(toWord(side.outcome))
        .bind(valid)
        .bind(std::int64_t{side.refused})
        .bind(side.scorePpm)
        .bind(side.ttftMs)
        .bind(side.durationMs)
        .bind(side.outputTokens)
        .bind(side.costMicroUsd);
}

Result<MirrorSide> sideFrom(const Statement& row, int at)
{
    MirrorSide side;
    side.model = row.text(at);
    side.provider = row.text(at + 1);
    const std::optional<Outcome> outcome = outcomeFromWord(row.text(at + 2));
    if (!outcome) return fail("bad_row", "mirror_comparison outcome", row.text(at + 2));
    side.outcome = *outcome;
    if (const auto valid = row.maybeInteger(at + 3)) side.schemaValid = *valid != 0;
    side.refused = row.integer(at + 4) != 0;
    side.scorePpm = row.maybeInteger(at + 5);
    side.ttftMs = row.maybeInteger(at + 6);
    side.durationMs = row.integer(at + 7);
    side.outputTokens = row.maybeInteger(at + 8);
    side.costMicroUsd = row.maybeInteger(at + 9);
    return side;
}

Result<MirrorComparison> comparisonFrom(const Statement& row)
{
    MirrorComparison comparison;
    comparison.requestId = row.text(0);
    comparison.at = fromEpochMs(row.integer(1));
    comparison.taskType = row.text(2);
    auto served = sideFrom(row, kServedAt);
    if (!served) return tl::unexpected(served.error());
    auto candidate = sideFrom(row, kCandidateAt);
    if (!candidate) return tl::unexpected(candidate.error());
    comparison.served = std::move(*served);
    comparison.candidate = std::move(*candidate);
    return comparison;
}

} // namespace

Status<> SqlStore::addComparisons(std::span<const MirrorComparison> comparisons)
{
    Result<Transaction> transaction = Transaction::begin(m_db);
    if (!transaction) return tl::unexpected(transaction.error());
    for (const MirrorComparison& comparison : comparisons) {
        Statement insert(
            m_db,
            "INSERT INTO mirror_comparison (" + std::string{kMirrorColumns} +
                ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (request_id) DO NOTHING");
        insert.bind(comparison.requestId).bind(epochMs(comparison.at)).bind(comparison.taskType);
        bindSide(insert, comparison.served);
        bindSide(insert, comparison.candidate);
        if (const Status<> done = insert.run(); !done) return done;
    }
    return transaction->commit();
}

Result<std::vector<MirrorComparison>> SqlStore::comparisons(const MirrorQuery& query)
{
    Statement select(
        m_db,
        "SELECT " + std::string{kMirrorColumns} +
            " FROM mirror_comparison WHERE at_ms >= ? AND (? = '' OR task_type = ?) "
            "ORDER BY at_ms DESC, request_id DESC LIMIT ?");
    select.bind(query.sinceMs.value_or(0))
        .bind(query.taskType)
        .bind(query.taskType)
        .bind(std::int64_t{kMirrorRowsMax});
    std::vector<MirrorComparison> found;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return found;
        auto comparison = comparisonFrom(select);
        if (!comparison) return tl::unexpected(comparison.error());
        found.push_back(std::move(*comparison));
    }
}

} // namespace weir::store
