// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/ran.h"

#include "common/sim/simulation.h"

#include <QFile>

#include <algorithm>

namespace weir::sim {

Ran::Ran(const std::string& name, SimPolicy policy, GuardingRules rules)
{
    QFile file(QString::fromStdString(std::string{WEIR_SCENARIOS} + '/' + name + ".json"));
    if (!file.open(QIODevice::ReadOnly)) qFatal("no scenario %s", name.c_str());
    scenario = scenarioOf(file.readAll().toStdString());
    scenario.policy = policy;
    scenario.rules = rules;
    result = simulate(scenario);
}

Share Ran::counts(std::string_view provider, double fromS, double toS) const
{
    return shareOf(result, scenario, provider, fromS, toS);
}

double Ran::share(std::string_view provider, double fromS, double toS) const
{
    return counts(provider, fromS, toS).ofAll();
}

double Ran::secondsUntil(
    std::string_view provider, double fromS, const std::function<bool(double)>& test) const
{
    const double end = static_cast<double>(scenario.duration) / 1e6 - 180.0;
    for (double at = fromS; at <= end; at += 60.0) {
        if (test(share(provider, at, at + 60.0)) && test(share(provider, at, at + 180.0)))
            return at - fromS;
    }
    return 1e9;
}

double Ran::steepest(std::string_view provider, double fromS, double toS) const
{
    double most = 0.0;
    for (double at = fromS; at + 120.0 <= toS; at += 60.0) {
        const double before = share(provider, at, at + 60.0);
        most = std::max(most, share(provider, at + 60.0, at + 120.0) - before);
    }
    return most;
}

double Ran::lowestRate(std::string_view provider, double fromS, double toS) const
{
    std::int64_t lowest = INT64_MAX;
    for (const MinuteRow& row : result.minutes) {
        const auto start = static_cast<double>(row.minute * 60);
        const ScenarioModel& model = scenario.models[result.pools[row.pool].model];
        if (start < fromS || start >= toS || model.routes[row.route].provider != provider) continue;
        lowest = std::min(lowest, row.permittedMilliRps);
    }
    return static_cast<double>(lowest) / 1e3;
}

std::size_t Ran::leaderChanges(double fromS, double toS) const
{
    return static_cast<std::size_t>(
        std::ranges::count_if(result.leaderChanges, [&](const LeaderChange& change) {
            const double at = static_cast<double>(change.at) / 1e6;
            return !change.from.empty() && at >= fromS && at < toS;
        }));
}

std::size_t Ran::incidents(IncidentKind kind, std::string_view provider) const
{
    return static_cast<std::size_t>(
        std::ranges::count_if(result.incidents, [&](const Incident& incident) {
            return incident.kind == kind && incident.provider == provider;
        }));
}

GateCounts Ran::gate(std::string_view provider) const
{
    const auto& routes = scenario.models[0].routes;
    const auto found = std::ranges::find(routes, provider, &ScenarioRoute::provider);
    return result.gates[0][static_cast<std::size_t>(found - routes.begin())];
}

} // namespace weir::sim
