// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/ledger_view.h"

#include "agent/ctl/format.h"
#include "agent/ctl/table.h"
#include "common/base/text.h"
#include "common/model/outcome.h"

#include <charconv>

namespace weir::ctl {
namespace {

using enum Column::Align;

/// "2026-11-30 10:15:00.123".
std::string momentOf(UtcTime time)
{
    std::string text = toIso(time);
    text[10] = ' ';
    text.pop_back();
    return text;
}

Style toneOf(Outcome outcome)
{
    if (outcome == Outcome::Ok) return Style::Good;
    if (isSuccess(outcome) || isNeutral(outcome)) return Style::Plain;
    return outcome == Outcome::RateLimited || outcome == Outcome::Overloaded ? Style::Warning
                                                                             : Style::Bad;
}

/// Tokens read, the cached ones among them; unknown where one class that matters is.
std::optional<std::int64_t> inputOf(const TokenUsage& usage)
{
    if (!usage.inputUncached) return std::nullopt;
    return *usage.inputUncached + usage.inputCached.value_or(0) + usage.cacheWrite.value_or(0);
}

std::optional<double> asDouble(std::optional<std::int64_t> value)
{
    return value ? std::optional{static_cast<double>(*value)} : std::nullopt;
}

std::vector<Span> cellsFor(const CallRecord& row)
{
    const std::string about = row.usage.estimated ? "~" : "";
    const std::string status =
        row.httpStatus ? std::to_string(*row.httpStatus) : std::string{kUnknown};
    return {
        {momentOf(row.startedAt), Style::Dim},
        {cleaned(row.requestId)},
        {std::to_string(row.attempt), row.attempt > 1 ? Style::Warning : Style::Dim},
        {cleaned(row.model)},
        {cleaned(row.provider), Style::Bold},
        {std::string{toWord(row.outcome)}, toneOf(row.outcome)},
        {status},
        {formatMs(asDouble(row.ttftMs))},
        {formatMs(static_cast<double>(row.durationMs))},
        {about + formatCount(inputOf(row.usage))},
        {formatCount(row.usage.inputCached), Style::Dim},
        {about + formatCount(row.usage.output)},
        {formatCost(row.costMicroUsd)},
        {cleaned(row.taskId), Style::Dim}};
}

std::int64_t failuresOf(const store::CallSums& sums)
{
    std::int64_t failures = 0;
    for (std::size_t i = 0; i < kOutcomeCount; ++i) {
        const auto outcome = static_cast<Outcome>(i);
        if (!isSuccess(outcome) && !isNeutral(outcome)) failures += sums.outcomes[i];
    }
    return failures;
}

Row totalsRow(const std::string& name, const store::CallSums& sums, Style style)
{
    const std::int64_t failures = failuresOf(sums);
    // A sum of which no part is known is unknown, not zero.
    const auto known = [&sums](std::int64_t sum, std::int64_t unknownRows) {
        return unknownRows < sums.calls ? std::optional{sum} : std::nullopt;
    };
    const std::int64_t input = sums.inputUncached + sums.inputCached + sums.cacheWrite;
    const std::string unknown =
        sums.costUnknown > 0 ? formatCount(sums.costUnknown) : std::string{};
    return {
        {},
        {{name, Style::Bold},
         {formatCount(sums.calls), style},
         {formatCount(failures), failures > 0 ? Style::Bad : Style::Dim},
         {formatCount(known(input, sums.tokensUnknown)), style},
         {formatCount(known(sums.inputCached, sums.tokensUnknown)), Style::Dim},
         {formatCount(known(sums.output, sums.tokensUnknown)), style},
         {formatCost(known(sums.costMicroUsd, sums.costUnknown)), style},
         {unknown, Style::Warning}}};
}

} // namespace

std::string toText(const store::LedgerCursor& cursor)
{
    return std::to_string(epochMs(cursor.startedAt)) + '.' + std::to_string(cursor.attempt) + '.' +
           cursor.requestId;
}

std::optional<store::LedgerCursor> parseCursor(std::string_view text)
{
    store::LedgerCursor cursor;
    std::int64_t ms = 0;
    const char* last = text.data() + text.size();
    const auto first = std::from_chars(text.data(), last, ms);
    if (first.ec != std::errc{} || first.ptr == last || *first.ptr != '.') return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, last, cursor.attempt);
    if (second.ec != std::errc{} || second.ptr == last || *second.ptr != '.') return std::nullopt;
    cursor.startedAt = fromEpochMs(ms);
    cursor.requestId = std::string{second.ptr + 1, last};
    if (cursor.requestId.empty()) return std::nullopt;
    return cursor;
}

std::vector<Line> ledgerLines(const std::vector<CallRecord>& rows, std::size_t width)
{
    if (rows.empty()) return {{{"No attempt matches.", Style::Dim}}};
    Table table;
    table.columns = {
        {"STARTED (UTC)", Left, 0, {}},
        {"REQUEST", Left, 0, 12, Column::Cut::Middle},
        {"#", Right, 3, {}},
        {"MODEL", Left, 4, 10, Column::Cut::Middle},
        {"PROVIDER", Left, 0, {}},
        {"OUTCOME", Left, 0, {}},
        {"HTTP", Right, 6, {}},
        {"TTFT", Right, 5, {}},
        {"TIME", Right, 2, {}},
        {"INPUT", Right, 7, {}},
        {"CACHED", Right, 9, {}},
        {"OUTPUT", Right, 8, {}},
        {"COST", Right, 1, {}},
        {"TASK", Left, 10, 10, Column::Cut::Middle}};
    for (const CallRecord& row : rows)
        table.rows.push_back({{}, cellsFor(row)});
    return layOut(table, width);
}

store::CallSums sumOf(std::span<const store::ProviderTotals> totals)
{
    store::CallSums sum;
    for (const store::ProviderTotals& one : totals)
        sum.add(one.sums);
    return sum;
}

std::vector<Line> totalLines(std::span<const store::ProviderTotals> totals, std::size_t width)
{
    if (totals.empty()) return {};
    Table table;
    table.columns = {
        {"PROVIDER", Left, 0, {}},
        {"ATTEMPTS", Right, 0, {}},
        {"FAILED", Right, 1, {}},
        {"INPUT", Right, 2, {}},
        {"CACHED", Right, 4, {}},
        {"OUTPUT", Right, 3, {}},
        {"COST", Right, 0, {}},
        {"COST UNKNOWN", Right, 5, {}}};
    for (const store::ProviderTotals& one : totals) {
        table.rows.push_back(totalsRow(cleaned(one.provider), one.sums, Style::Plain));
    }
    if (totals.size() > 1) table.rows.push_back(totalsRow("all", sumOf(totals), Style::Bold));
    return layOut(table, width);
}

} // namespace weir::ctl
