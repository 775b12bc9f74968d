// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/learned_store.h"
#include "common/routing/budget_book.h"
#include "common/routing/minute_facts.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace weir::run {

/// Keeps the routes' error budgets over restarts: 28 days of them are read from the store's
/// history. Belongs to the thread of the summary job.
class BudgetJob final
{
public:
    explicit BudgetJob(store::LearnedStore& store);

    /// Before the first minute, which begins at `originMs`, reads what was before; once an hour,
    /// learns anew what is usual. Fails where the store cannot be read: then no minute may follow.
    [[nodiscard]] Status<> prepare(std::int64_t originMs, std::int64_t nowMs);

    /// Whether the answer came later than twice the usual time (the median of 48 hours).
    void compare(routing::RouteMinute& row, const CallFact& fact) const;

    [[nodiscard]] std::vector<routing::RaisedTrouble> advance(const routing::MinuteFacts& minute)
    {
        return m_book.advance(minute);
    }

    [[nodiscard]] std::vector<routing::BudgetStatus> status() const { return m_book.status(); }

private:
    [[nodiscard]] Status<> learnUsual(std::int64_t nowMs);
    [[nodiscard]] Status<> restore(std::int64_t originMs);
    [[nodiscard]] std::int64_t usualUs(const routing::RouteMinute& row) const;
    void count(routing::RouteMinute& row, const store::RouteStep& step) const;

    store::LearnedStore& m_store;
    routing::BudgetBook m_book;
    /// Microseconds by model, task type and provider; where there were too few answers, nothing.
    std::map<std::tuple<std::string, std::string, std::string>, std::int64_t> m_usualUs;
    std::int64_t m_learnedMs = 0;
    bool m_restored = false;
};

} // namespace weir::run
