// SPDX-License-Identifier: Apache-2.0
#include "agent/reports/drill_plan.h"

#include "agent/config/nearest.h"
#include "common/base/text.h"
#include "common/routing/fixed_order.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace weir::reports {
namespace {

using Kind = DrillObjection::Kind;

std::string suggestionFor(const std::string& word, const std::set<std::string>& known)
{
    const std::vector<std::string_view> words(known.begin(), known.end());
    return config::suggestion(word, words);
}

/// Only a trouble that still lasts; a new leader is none.
bool isOpenTrouble(const Incident& incident)
{
    const bool isNews =
        incident.kind == IncidentKind::Promotion || incident.kind == IncidentKind::Demotion;
    return !incident.endMs && incident.parent.empty() && !isNews;
}

std::string oneDecimal(double value)
{
    const long long tenths = std::llround(value * 10.0);
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10);
}

} // namespace

std::optional<DrillObjection>
objectionTo(const DrillPlan& plan, const KnownRoutes& known, const Decisions& decisions)
{
    std::set<std::string> models;
    std::set<std::string> providers;
    std::size_t enabled = 0;
    bool isEnabled = false;
    for (const RouteName& route : known.routes) {
        models.insert(route.model);
        if (route.model != plan.model) continue;
        const bool isNew = providers.insert(route.provider).second;
        const RouteSettings* const own =
            routing::settingsOf(decisions.routes, route.model, route.provider);
        if (!isNew || (own != nullptr && !own->enabled)) continue;
        ++enabled;
        isEnabled = isEnabled || route.provider == plan.provider;
    }
    if (!models.contains(plan.model)) {
        return DrillObjection{
            Kind::Slip,
            "no such model: " + cleaned(plan.model, 80) + suggestionFor(plan.model, models)};
    }
    const std::string route = cleaned(plan.model, 80) + '/' + cleaned(plan.provider, 80);
    if (!providers.contains(plan.provider)) {
        return DrillObjection{
            Kind::Slip, "no such route: " + route + suggestionFor(plan.provider, providers)};
    }
    if (!isEnabled) {
        return DrillObjection{Kind::Useless, "the route " + route + " is switched off"};
    }
    if (enabled > 1) return std::nullopt;
    return DrillObjection{
        Kind::Poor,
        route + " is the last enabled route of its model: requests that can go nowhere else are "
                "spared, so the drill would show little"};
}

std::vector<std::string> hazardsOf(
    const DrillPlan& plan,
    std::span<const Incident> incidents,
    std::span<const FailoverStatus> failover)
{
    std::vector<std::string> hazards;
    std::size_t open = 0;
    std::string first;
    for (const Incident& incident : incidents) {
        if (!isOpenTrouble(incident)) continue;
        if (open == 0) {
            first = toWord(incident.kind);
            std::ranges::replace(first, '_', ' ');
            first += " of " + cleaned(incident.key);
        }
        ++open;
    }
    if (open > 0) {
        std::string text = "an incident is open: " + first;
        if (open > 1) text += " and " + std::to_string(open - 1) + " more";
        hazards.push_back(std::move(text));
    }
    for (const FailoverStatus& status : failover) {
        // Nothing moves where requests only wait.
        if (status.provider != plan.provider || plan.kind == DrillKind::Delay) continue;
        if (status.ratio.value_or(0.0) <= 1.0) continue;
        std::string text{"a full failover needs "};
        text += oneDecimal(*status.ratio) + " times what the other routes are known to bear";
        hazards.push_back(std::move(text));
    }
    return hazards;
}

Drill drillOf(const DrillPlan& plan, const store::Authorship& by)
{
    Drill drill;
    drill.id = "drill-" + by.requestUuid.substr(0, 8);
    drill.kind = plan.kind;
    drill.model = plan.model;
    drill.provider = plan.provider;
    drill.sharePpm = plan.sharePpm;
    drill.delayMs = plan.delayMs;
    drill.startsAt = by.at;
    drill.endsAt = by.at + plan.length;
    drill.abortFailurePpm = plan.abortFailurePpm;
    return drill;
}

} // namespace weir::reports
