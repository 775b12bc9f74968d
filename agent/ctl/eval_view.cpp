// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/eval_view.h"

#include "agent/ctl/format.h"
#include "agent/ctl/table.h"
#include "common/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace weir::ctl {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kPpmOne = 1e6;

std::optional<double> shareOf(std::optional<std::int64_t> ppm)
{
    if (!ppm) return std::nullopt;
    return static_cast<double>(*ppm) / kPpmOne;
}

Json orNull(std::optional<double> value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json orNull(std::optional<std::int64_t> value)
{
    return value ? Json(*value) : Json(nullptr);
}

/// Rounded down, so that 1.000 is said of what is perfect alone.
std::string scoreText(std::int64_t ppm)
{
    std::string fraction = std::to_string(ppm / 1000 % 1000);
    fraction.insert(0, 3 - fraction.size(), '0');
    return std::to_string(ppm / 1'000'000) + '.' + fraction;
}

} // namespace

std::vector<Line> evalRunLines(std::span<const store::EvalRunRow> rows, std::size_t width)
{
    Table table;
    constexpr auto kRight = Column::Align::Right;
    table.columns = {
        column("MODEL"),
        column("PROVIDER"),
        column("SCORE", 0, kRight),
        column("SCHEMA", 2, kRight),
        column("REFUSED", 3, kRight),
        column("CASES", 4, kRight),
        column("UNANSWERED", 1, kRight),
        column("CUT", 5, kRight),
        column("TOKENS IN", 8, kRight),
        column("OUT", 7, kRight),
        column("COST", 6, kRight),
        column("P50", 9, kRight)};
    for (const store::EvalRunRow& row : rows) {
        const QualityScore& score = row.score;
        const bool isWhole = score.unanswered == 0;
        std::optional<double> took;
        if (row.latencyP50Ms) took = static_cast<double>(*row.latencyP50Ms);
        table.rows.push_back(
            {{},
             {{cleaned(score.model), Style::Bold},
              {cleaned(score.provider)},
              {row.tells ? scoreText(score.scorePpm) : std::string{kUnknown}, Style::Bold},
              {formatShare(shareOf(score.schemaValidPpm))},
              {formatShare(shareOf(score.refusedPpm))},
              {formatCount(score.cases)},
              {formatCount(score.unanswered), isWhole ? Style::Dim : Style::Bad},
              {formatCount(row.cut)},
              {formatCount(row.inputTokens)},
              {formatCount(row.outputTokens)},
              {formatCost(row.costMicroUsd)},
              {formatMs(took)}}});
    }
    return layOut(table, width);
}

std::vector<Line>
evalScoreLines(std::span<const QualityScore> scores, UtcTime now, std::size_t width)
{
    Table table;
    constexpr auto kRight = Column::Align::Right;
    table.columns = {
        column("TASK"),
        column("MODEL"),
        column("PROVIDER"),
        column("SCORE", 0, kRight),
        column("SCHEMA", 2, kRight),
        column("REFUSED", 3, kRight),
        column("CASES", 4, kRight),
        column("AGE", 1, kRight),
        column("SET", 5)};
    for (const QualityScore& score : scores) {
        const double ageS = std::chrono::duration<double>(now - score.scoredAt).count();
        table.rows.push_back(
            {{},
             {{cleaned(score.taskType)},
              {cleaned(score.model), Style::Bold},
              {cleaned(score.provider)},
              {scoreText(score.scorePpm), Style::Bold},
              {formatShare(shareOf(score.schemaValidPpm))},
              {formatShare(shareOf(score.refusedPpm))},
              {formatCount(score.cases)},
              {formatAge(std::max(ageS, 0.0))},
              {cleaned(score.evalSet), Style::Dim}}});
    }
    return layOut(table, width);
}

Json toJson(const QualityScore& score)
{
    return {
        {"model", score.model},
        {"provider", score.provider},
        {"task_type", score.taskType},
        {"score", static_cast<double>(score.scorePpm) / kPpmOne},
        {"schema_valid", orNull(shareOf(score.schemaValidPpm))},
        {"refused", orNull(shareOf(score.refusedPpm))},
        {"cases", score.cases},
        {"unanswered", score.unanswered},
        {"eval_set", score.evalSet},
        {"eval_set_hash", score.evalSetHash},
        {"scored_at", toIso(score.scoredAt)}};
}

Json toJson(const store::EvalRunRow& row)
{
    Json json{{"run", row.run}};
    json.update(toJson(row.score));
    json["tells"] = row.tells;
    json["cut"] = row.cut;
    json["grader"] = row.grader;
    json["who"] = row.who;
    json["host"] = row.host;
    json["started_at"] = toIso(row.startedAt);
    json["input_tokens"] = orNull(row.inputTokens);
    json["output_tokens"] = orNull(row.outputTokens);
    json["cost_micro_usd"] = orNull(row.costMicroUsd);
    json["latency_p50_ms"] = orNull(row.latencyP50Ms);
    return json;
}

} // namespace weir::ctl
