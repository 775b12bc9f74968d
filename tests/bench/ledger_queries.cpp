// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/ledger_queries.h"

#include "agent/net/clock.h"

#include <map>

namespace weir::bench {
namespace {

using Days = std::chrono::duration<std::int64_t, std::ratio<86'400>>;
using store::Database;
using store::LedgerFilter;
using store::LedgerQuery;

constexpr int kPage = 200;

/// Where in the ledger a round looks: all over it, in no order.
UtcTime somewhere(int round, int days)
{
    const std::int64_t part = (static_cast<std::int64_t>(round) * 7919 + 1237) % 10'007;
    const auto all = std::chrono::milliseconds{Days{days - 1}};
    return net::utcNow() - all * part / 10'007;
}

Question page(Database& database, LedgerQuery query)
{
    query.limit = kPage;
    return [&database, query]() -> Result<std::size_t> {
        const Result<store::LedgerPage> found = database.queryLedger(query);
        if (!found) return tl::unexpected(found.error());
        return found->rows.size();
    };
}

Question totals(Database& database, const LedgerFilter& filter)
{
    return [&database, filter]() -> Result<std::size_t> {
        const auto found = database.totals(filter);
        if (!found) return tl::unexpected(found.error());
        return found->size();
    };
}

Question history(Database& database, std::chrono::seconds range, std::chrono::seconds step)
{
    return [&database, range, step]() -> Result<std::size_t> {
        const UtcTime now = net::utcNow();
        const auto found = database.history({"", now - range, now, step});
        if (!found) return tl::unexpected(found.error());
        return found->size();
    };
}

/// What weirctl tasks and weirctl report read.
Question attempts(Database& database, UtcTime from, std::chrono::seconds range)
{
    return [&database, from, range]() -> Result<std::size_t> {
        std::size_t seen = 0;
        const store::RequestQuery query{epochMs(from), epochMs(from + range), ""};
        const Status<> read =
            database.eachAttempt(query, [&seen](const store::AttemptRow&) { ++seen; });
        if (!read) return tl::unexpected(read.error());
        return seen;
    };
}

/// An attempt that started before a time.
Result<CallRecord> rowBefore(Database& database, UtcTime time)
{
    LedgerQuery query;
    query.filter.to = time;
    query.limit = 1;
    const Result<store::LedgerPage> found = database.queryLedger(query);
    if (!found) return tl::unexpected(found.error());
    if (found->rows.empty()) return fail("no_rows", "call_ledger", "the ledger is empty");
    return found->rows.front();
}

LedgerFilter byProvider(const std::string& provider)
{
    LedgerFilter filter;
    filter.provider = provider;
    return filter;
}

LedgerFilter byOutcome(Outcome outcome)
{
    LedgerFilter filter;
    filter.outcome = outcome;
    return filter;
}

/// Filters of the page of attempts, newest first.
std::map<std::string, LedgerFilter> filters(int round, int days)
{
    std::map<std::string, LedgerFilter> all;
    all["newest"] = {};
    all["provider"] = byProvider("alder");
    all["provider_unknown"] = byProvider("nobody");
    all["model"].model = "qwen-3";
    all["task_type"].taskType = "extract";
    all["outcome_1_in_500"] = byOutcome(Outcome::Reset);
    all["outcome_1_in_20000"] = byOutcome(Outcome::Deadline);
    all["outcome_almost_never"] = byOutcome(Outcome::NoCredit);
    all["outcome_never"] = byOutcome(Outcome::Auth);
    all["task_unknown"].taskId = "no such task";
    all["decided"].decided = true;
    all["an_hour"].from = somewhere(round, days);
    all["an_hour"].to = *all["an_hour"].from + std::chrono::hours{1};
    all["provider_in_an_hour"] = all["an_hour"];
    all["provider_in_an_hour"].provider = "alder";
    return all;
}

std::map<std::string, LedgerFilter> sums(int round, int days)
{
    std::map<std::string, LedgerFilter> all;
    all["totals"] = {};
    all["totals_provider"] = byProvider("alder");
    all["totals_outcome"] = byOutcome(Outcome::Reset);
    all["totals_a_day"].from = somewhere(round, days);
    all["totals_a_day"].to = *all["totals_a_day"].from + Days{1};
    return all;
}

} // namespace

Result<Question> ledgerQuestion(Database& database, const std::string& name, int round, int days)
{
    const auto filter = filters(round, days);
    if (const auto known = filter.find(name); known != filter.end()) {
        LedgerQuery query;
        query.filter = known->second;
        return page(database, query);
    }
    const auto sum = sums(round, days);
    if (const auto known = sum.find(name); known != sum.end())
        return totals(database, known->second);
    if (name == "history_24h") return history(database, Days{1}, std::chrono::minutes{1});
    if (name == "history_7d") return history(database, Days{7}, std::chrono::minutes{10});
    if (name == "history_90d") return history(database, Days{90}, std::chrono::hours{6});
    if (name == "tasks_1h") {
        return attempts(database, somewhere(round, days), std::chrono::hours{1});
    }
    if (name == "tasks_24h") return attempts(database, net::utcNow() - Days{1}, Days{1});
    if (name == "incidents") {
        return Question{[&database]() -> Result<std::size_t> {
            const auto found = database.incidents({});
            if (!found) return tl::unexpected(found.error());
            return found->size();
        }};
    }
    const Result<CallRecord> row = rowBefore(database, somewhere(round, days));
    if (!row) return tl::unexpected(row.error());
    LedgerQuery query;
    if (name == "next_page") {
        query.after = store::LedgerCursor{row->startedAt, row->requestId, row->attempt};
        return page(database, query);
    }
    if (name == "request") query.filter.requestId = row->requestId;
    if (name == "task") query.filter.taskId = row->taskId;
    if (name == "request" || name == "task") return page(database, query);
    return fail("bad_usage", name, "is no question");
}

} // namespace weir::bench
