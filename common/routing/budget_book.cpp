// SPDX-License-Identifier: Apache-2.0
#include "common/routing/budget_book.h"

#include "common/routing/incident_signal.h"

#include <algorithm>

namespace weir::routing {
namespace {

/// The rule of the worst alert that stands, the fastest first.
std::optional<std::size_t> worstRule(const ErrorBudget& budget, Slo slo)
{
    for (std::size_t rule = 0; rule < kBurnRules.size(); ++rule) {
        if (budget.stands(slo, rule)) return rule;
    }
    return std::nullopt;
}

std::string lengthText(std::int64_t minutes)
{
    constexpr std::int64_t kDay = 1440;
    if (minutes % kDay == 0) return std::to_string(minutes / kDay) + " d";
    if (minutes % 60 == 0) return std::to_string(minutes / 60) + " h";
    return std::to_string(minutes) + " min";
}

std::string burnText(const ErrorBudget& budget, Slo slo, std::int64_t minutes)
{
    return timesText(budget.burnMilli(slo, minutes) * 1000) + " over " + lengthText(minutes);
}

std::string textOf(const ErrorBudget& budget, Slo slo, const BurnRule& rule)
{
    std::string text{toWord(slo)};
    text.append(" burns ").append(burnText(budget, slo, rule.longMinutes));
    text.append(", ").append(burnText(budget, slo, rule.shortMinutes));
    const std::int64_t left = budget.leftPpm(slo).value_or(0);
    if (left > 0) return text.append("; ").append(percentText(left)).append(" of 28 d left");
    return text.append("; nothing of 28 d left");
}

} // namespace

BudgetBook::Counts BudgetBook::countsOf(const std::vector<RouteMinute>& routes)
{
    Counts counts;
    for (const RouteMinute& row : routes) {
        SloCounts& sums = counts[{row.model, row.provider}];
        const SloCounts more = sloCountsOf(row);
        for (std::size_t slo = 0; slo < kSlos.size(); ++slo) {
            sums[slo].total += more[slo].total;
            sums[slo].bad += more[slo].bad;
        }
        m_routes[{row.model, row.provider}];
    }
    for (const auto& [name, route] : m_routes)
        counts[name];
    return counts;
}

void BudgetBook::addOlder(const std::vector<RouteMinute>& routes)
{
    for (const auto& [name, counts] : countsOf(routes))
        m_routes[name].budget.addOlder(counts);
}

std::vector<RaisedTrouble> BudgetBook::advance(const MinuteFacts& facts)
{
    std::vector<RaisedTrouble> standing;
    for (const auto& [name, counts] : countsOf(facts.routes)) {
        Route& route = m_routes[name];
        route.budget.advance(counts);
        std::string detail;
        for (const Slo slo : kSlos) {
            const auto index = static_cast<std::size_t>(slo);
            const std::optional<std::size_t> rule = worstRule(route.budget, slo);
            const BurnLevel level = rule ? kBurnRules[*rule].level : BurnLevel::None;
            if (level != route.level[index]) route.sinceMs[index] = facts.startMs;
            route.level[index] = level;
            if (!rule) continue;
            detail.append(detail.empty() ? "" : "; ");
            detail.append(textOf(route.budget, slo, kBurnRules[*rule]));
        }
        if (detail.empty()) continue;
        standing.push_back({IncidentKind::BudgetBurn, name.first, {}, name.second, detail});
    }
    std::erase_if(m_routes, [](const auto& each) { return each.second.budget.isIdle(); });
    return standing;
}

std::vector<BudgetStatus> BudgetBook::status() const
{
    std::vector<BudgetStatus> all;
    for (const auto& [name, route] : m_routes) {
        for (const Slo slo : kSlos) {
            BudgetStatus status{name.first, name.second, slo, {}, {}, {}, 0, {}};
            status.leftPpm = route.budget.leftPpm(slo);
            if (!status.leftPpm) continue;
            for (std::size_t window = 0; window < kBurnWindows.size(); ++window)
                status.burnMilli[window] = route.budget.burnMilli(slo, kBurnWindows[window]);
            const auto index = static_cast<std::size_t>(slo);
            status.level = route.level[index];
            if (const std::optional<std::size_t> rule = worstRule(route.budget, slo)) {
                status.sinceMs = route.sinceMs[index];
                status.text = textOf(route.budget, slo, kBurnRules[*rule]);
            }
            all.push_back(std::move(status));
        }
    }
    return all;
}

} // namespace weir::routing
