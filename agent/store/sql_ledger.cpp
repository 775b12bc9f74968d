// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_ledger.h"

#include "agent/store/ledger_row.h"
#include "agent/store/sql_store.h"

#include <algorithm>

namespace weir::store {
namespace {

/// WHERE clause and values of a filter, in one order.
class Conditions final
{
public:
    void text(std::string_view column, const std::string& value)
    {
        if (value.empty()) return;
        add(std::string{column} + " = ?");
        m_texts.emplace_back(value);
        m_isText.push_back(true);
    }

    void number(std::string_view comparison, std::optional<std::int64_t> value)
    {
        if (!value) return;
        add(std::string{comparison} + " ?");
        m_numbers.push_back(*value);
        m_isText.push_back(false);
    }

    void plain(const std::string& condition) { add(condition); }

    [[nodiscard]] const std::string& sql() const { return m_sql; }

    void bindTo(Statement& statement) const
    {
        auto text = m_texts.begin();
        auto number = m_numbers.begin();
        for (const bool isText : m_isText) {
            if (isText)
                statement.bind(*text++);
            else
                statement.bind(*number++);
        }
    }

private:
    void add(const std::string& condition)
    {
        m_sql.append(m_sql.empty() ? " WHERE " : " AND ").append(condition);
    }

    std::string m_sql;
    std::vector<std::string_view> m_texts;
    std::vector<std::int64_t> m_numbers;
    std::vector<bool> m_isText;
};

std::optional<std::int64_t> ms(const std::optional<UtcTime>& time)
{
    if (!time) return std::nullopt;
    return epochMs(*time);
}

/// "outcome NOT IN ('ok', 'length', …)".
const std::string& failedCondition()
{
    static const std::string kCondition = [] {
        std::string words;
        for (std::size_t i = 0; i < kOutcomeCount; ++i) {
            const auto outcome = static_cast<Outcome>(i);
            if (!isSuccess(outcome) && !isNeutral(outcome)) continue;
            words.append(words.empty() ? "'" : ", '").append(toWord(outcome)).append("'");
        }
        return "outcome NOT IN (" + words + ")";
    }();
    return kCondition;
}

/// The words must live as long as the conditions do.
Conditions conditionsOf(
    const LedgerFilter& filter, const std::string& outcomeWord, const std::string& reasonWord)
{
    Conditions where;
    where.number("started_at_ms >=", ms(filter.from));
    where.number("started_at_ms <", ms(filter.to));
    where.text("request_id", filter.requestId);
    where.text("task_id", filter.taskId);
    where.text("conversation", filter.conversation);
    where.text("task_type", filter.taskType);
    where.text("model", filter.model);
    where.text("provider", filter.provider);
    where.text("agent", filter.agent);
    where.text("outcome", outcomeWord);
    where.text("reason", reasonWord);
    if (filter.failed) where.plain(failedCondition());
    if (filter.decided) where.plain("decision IS NOT NULL");
    return where;
}

std::string outcomeWord(const LedgerFilter& filter)
{
    return filter.outcome ? std::string{toWord(*filter.outcome)} : std::string{};
}

std::string reasonWord(const LedgerFilter& filter)
{
    return filter.reason ? std::string{toWord(*filter.reason)} : std::string{};
}

/// Postgres keeps sums by hour, of the words that charts and bills ask for.
bool isSumKept(const LedgerFilter& filter)
{
    return filter.requestId.empty() && filter.taskId.empty() && filter.conversation.empty() &&
           filter.agent.empty() && !filter.failed && !filter.reason && !filter.decided;
}

constexpr std::string_view kTotals =
    "SELECT provider, outcome, count(*), sum(input_uncached), sum(input_cached), "
    "sum(cache_write), sum(output), sum(reasoning), "
    "sum(CASE WHEN input_uncached IS NULL OR output IS NULL THEN 1 ELSE 0 END), "
    "sum(cost_micro_usd), count(*) - count(cost_micro_usd) FROM call_ledger";
constexpr const char* kTotalsGroups = " GROUP BY provider, outcome ORDER BY provider";
/// The same where they are kept by the hour: no look at months of attempts.
constexpr std::string_view kKeptTotals =
    "SELECT provider, outcome, calls, input_uncached, input_cached, cache_write, output, "
    "reasoning, tokens_unknown, cost_micro_usd, cost_unknown "
    "FROM weir_ledger_totals(?, ?, ?, ?, ?, ?) ORDER BY provider";

/// The columns of kLedgerColumns; the constraints of the table keep the words known.
CallRecord recordFrom(const Statement& row)
{
    CallRecord record;
    int column = 0;
    record.requestId = row.text(column++);
    record.attempt = static_cast<int>(row.integer(column++));
    for (std::string* text :
         {&record.agentId,
          &record.service,
          &record.taskId,
          &record.taskType,
          &record.conversation,
          &record.model,
          &record.provider,
          &record.route}) {
        *text = row.text(column++);
    }
    record.protocol =
        row.text(column++) == toWord(Protocol::OpenAi) ? Protocol::OpenAi : Protocol::Anthropic;
    record.stream = row.integer(column++) != 0;
    record.startedAt = fromEpochMs(row.integer(column++));
    record.ttftMs = row.maybeInteger(column++);
    record.durationMs = row.integer(column++);
    record.outcome = outcomeFromWord(row.text(column++)).value_or(Outcome::Malformed);
    if (const auto status = row.maybeInteger(column++))
        record.httpStatus = static_cast<int>(*status);
    record.finishReason = row.text(column++);
    record.usage.inputUncached = row.maybeInteger(column++);
    record.usage.inputCached = row.maybeInteger(column++);
    record.usage.cacheWrite = row.maybeInteger(column++);
    record.usage.output = row.maybeInteger(column++);
    record.usage.reasoning = row.maybeInteger(column++);
    record.usage.estimated = row.integer(column++) != 0;
    record.costMicroUsd = row.maybeInteger(column++);
    const auto flag = [&](CallFlag bit) {
        if (row.integer(column++) != 0) record.flags |= static_cast<std::uint16_t>(bit);
    };
    flag(CallFlag::Explored);
    flag(CallFlag::Pinned);
    flag(CallFlag::Spilled);
    flag(CallFlag::Hedged);
    flag(CallFlag::SingleShot);
    record.usage.inconsistent = row.integer(column++) != 0;
    flag(CallFlag::ShadowChoice);
    record.mode = effectiveModeFromWord(row.text(column++)).value_or(EffectiveMode::Failsafe);
    record.reason = reasonFromWord(row.text(column++)).value_or(Reason::Fixed);
    record.level = static_cast<int>(row.integer(column++));
    record.snapshotId = row.text(column++);
    record.settingsVersion = row.integer(column++);
    record.switchVersion = row.integer(column++);
    record.seed = static_cast<std::uint64_t>(row.integer(column++));
    record.eligibleMask = static_cast<std::uint64_t>(row.integer(column++));
    record.heldMask = static_cast<std::uint64_t>(row.integer(column++));
    record.decision = row.text(column++);
    record.last = row.integer(column++) != 0;
    record.priority = priorityFromWord(row.text(column++)).value_or(Priority::Interactive);
    record.caller = row.text(column++);
    record.regionsAsked = row.text(column++);
    record.termsAsked = row.text(column++);
    record.promptEstimate = row.maybeInteger(column++);
    flag(CallFlag::Mirror);
    flag(CallFlag::Eval);
    flag(CallFlag::Drill);
    return record;
}

} // namespace

const std::vector<std::string>& historySumColumns()
{
    static const std::vector<std::string> kColumns = [] {
        std::vector<std::string> columns{"calls"};
        for (std::size_t i = 0; i < kOutcomeCount; ++i) {
            columns.push_back("n_" + std::string{toWord(static_cast<Outcome>(i))});
        }
        for (const char* name :
             {"explored",
              "pinned",
              "spilled",
              "input_uncached",
              "input_cached",
              "cache_write",
              "output",
              "reasoning",
              "tokens_unknown",
              "cost_micro_usd",
              "cost_unknown"}) {
            columns.emplace_back(name);
        }
        return columns;
    }();
    return kColumns;
}

Result<LedgerPage> SqlStore::queryLedger(const LedgerQuery& query)
{
    const std::string outcome = outcomeWord(query.filter);
    const std::string reason = reasonWord(query.filter);
    const Conditions where = conditionsOf(query.filter, outcome, reason);
    std::string sql = "SELECT " + std::string{kLedgerColumns} + " FROM call_ledger" + where.sql();
    if (query.after) {
        sql += where.sql().empty() ? " WHERE " : " AND ";
        // The first condition says the least of it, for a ledger in days.
        sql += "started_at_ms <= ? AND (started_at_ms, request_id, attempt) < (?, ?, ?)";
    }
    sql += " ORDER BY started_at_ms DESC, request_id DESC, attempt DESC LIMIT ?";
    Statement select(m_db, sql);
    where.bindTo(select);
    if (query.after) {
        select.bind(epochMs(query.after->startedAt))
            .bind(epochMs(query.after->startedAt))
            .bind(query.after->requestId)
            .bind(std::int64_t{query.after->attempt});
    }
    const int limit = std::clamp(query.limit, 1, kLedgerPageMax);
    // One more than asked for tells whether there is another page.
    select.bind(std::int64_t{limit} + 1);
    LedgerPage page;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return page;
        if (static_cast<int>(page.rows.size()) == limit) break;
        page.rows.push_back(recordFrom(select));
    }
    const CallRecord& last = page.rows.back();
    page.next = LedgerCursor{last.startedAt, last.requestId, last.attempt};
    return page;
}

Result<std::vector<ProviderTotals>> SqlStore::totals(const LedgerFilter& filter)
{
    const std::string outcome = outcomeWord(filter);
    const std::string reason = reasonWord(filter);
    const Conditions where = conditionsOf(filter, outcome, reason);
    const bool areSumsKept = m_db.dialect() == Dialect::Postgres && isSumKept(filter);
    Statement select(
        m_db,
        areSumsKept ? std::string{kKeptTotals}
                    : std::string{kTotals} + where.sql() + kTotalsGroups);
    if (areSumsKept) {
        select.bind(filter.from ? epochMs(*filter.from) : 0)
            .bind(filter.to ? epochMs(*filter.to) : INT64_MAX)
            .bind(filter.model)
            .bind(filter.provider)
            .bind(filter.taskType)
            .bind(outcome);
    } else {
        where.bindTo(select);
    }
    std::vector<ProviderTotals> totals;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return totals;
        CallSums sums;
        sums.calls = select.integer(2);
        const Outcome kind = outcomeFromWord(select.text(1)).value_or(Outcome::Malformed);
        sums.outcomes[static_cast<std::size_t>(kind)] = sums.calls;
        sums.inputUncached = select.integer(3);
        sums.inputCached = select.integer(4);
        sums.cacheWrite = select.integer(5);
        sums.output = select.integer(6);
        sums.reasoning = select.integer(7);
        sums.tokensUnknown = select.integer(8);
        sums.costMicroUsd = select.integer(9);
        sums.costUnknown = select.integer(10);
        const std::string provider = select.text(0);
        if (totals.empty() || totals.back().provider != provider) totals.push_back({provider, {}});
        totals.back().sums.add(sums);
    }
}

} // namespace weir::store
