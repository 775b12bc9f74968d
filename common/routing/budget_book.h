// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/error_budget.h"
#include "common/routing/minute_facts.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace weir::routing {

/// One SLO of one route, as it is shown.
struct BudgetStatus
{
    std::string model;
    std::string provider;
    Slo slo = Slo::Availability;
    /// By `kBurnWindows`, in thousandths.
    std::array<std::int64_t, kBurnWindows.size()> burnMilli{};
    std::optional<std::int64_t> leftPpm;
    /// The worst alert that stands.
    BurnLevel level = BurnLevel::None;
    /// Epoch milliseconds of the minute in which it began to stand at that level.
    std::int64_t sinceMs = 0;
    /// "availability burns x15.2 over 1 h, x20.0 over 5 min; 71.2 % of 28 d left", where one
    /// stands.
    std::string text;

    bool operator==(const BudgetStatus&) const = default;
};

/// The error budgets of all routes. The same minutes give the same alerts.
class BudgetBook final
{
public:
    /// The routes of ten minutes that were over before the first minute; in order of time.
    void addOlder(const std::vector<RouteMinute>& routes);

    /// The next minute. Returns the alerts that stand, one a route: `budget_burn`.
    [[nodiscard]] std::vector<RaisedTrouble> advance(const MinuteFacts& facts);

    /// By model, provider and SLO; those that had calls in 28 days.
    [[nodiscard]] std::vector<BudgetStatus> status() const;

private:
    struct Route
    {
        ErrorBudget budget;
        std::array<BurnLevel, kSlos.size()> level{};
        std::array<std::int64_t, kSlos.size()> sinceMs{};
    };

    using Routes = std::map<std::pair<std::string, std::string>, Route>;
    using Counts = std::map<std::pair<std::string, std::string>, SloCounts>;

    [[nodiscard]] Counts countsOf(const std::vector<RouteMinute>& routes);

    Routes m_routes;
};

} // namespace weir::routing
