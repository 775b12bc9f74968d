// SPDX-License-Identifier: Apache-2.0
#include "common/sim/summary_job.h"

#include <algorithm>

namespace weir::sim {

std::int64_t epochMsOf(const Scenario& scenario, Micros at)
{
    const Micros rest = at % 1000;
    return scenario.startEpochMs + (at - (rest < 0 ? rest + 1000 : rest)) / 1000;
}

routing::RouteSetup setupOf(const ScenarioModel& model, std::size_t route, bool isKnown)
{
    const auto place = std::ranges::find(model.fixedOrder, route);
    routing::RouteSetup setup;
    setup.provider = model.routes[route].provider;
    setup.price = model.routes[route].shape.price;
    setup.fixedPosition = static_cast<std::uint16_t>(place - model.fixedOrder.begin());
    setup.enabled = isKnown;
    return setup;
}

SummaryJob::SummaryJob(
    const Scenario& scenario, const std::vector<PoolName>& pools, std::int64_t originMs)
    : m_scenario(scenario)
    , m_pools(pools)
    , m_policy(policyOf(scenario.settings))
    , m_learner(originMs)
{
    for (const ScenarioModel& model : scenario.models) {
        m_providers.emplace_back();
        for (const ScenarioRoute& route : model.routes)
            m_providers.back().push_back(route.provider);
    }
}

void SummaryJob::run(const World& world, const SharedGates& gates, Micros now, std::int64_t gateMs)
{
    const std::int64_t nowMs = epochMsOf(m_scenario, now);
    std::vector<routing::PoolSetup> setups;
    for (const PoolName& pool : m_pools) {
        const ScenarioModel& model = m_scenario.models[pool.model];
        routing::PoolSetup setup;
        setup.model = model.name;
        setup.taskType = pool.taskType;
        setup.demandMilliRps = gates.demandMilliRps(pool.model);
        for (std::size_t i = 0; i < model.routes.size(); ++i) {
            const RouteWorld& route = world.at({pool.model, i});
            setup.routes.push_back(setupOf(model, i, route.isKnown(now)));
            setup.routes.back().price = route.shape().price;
            gates.describe({pool.model, i}, setup.routes.back(), gateMs);
        }
        setups.push_back(std::move(setup));
    }
    const auto published = std::make_shared<Published>();
    published->summary = routing::summarise(
        m_latest ? m_latest->summary : Summary{},
        m_learner,
        setups,
        m_policy,
        nowMs,
        m_scenario.rules);
    for (const PoolName& pool : m_pools) {
        const std::string& model = m_scenario.models[pool.model].name;
        const PoolSummary* found = routing::findPool(published->summary, model, pool.taskType);
        published->fastestUs.push_back(0);
        published->views.emplace_back();
        if (found == nullptr) continue;
        published->views.back() = routing::PoolView(*found, m_providers[pool.model]);
        std::int64_t& fastest = published->fastestUs.back();
        for (const RouteFigures& figures : found->routes) {
            if (!figures.trusted || figures.timeUs <= 0) continue;
            fastest = fastest == 0 ? figures.timeUs : std::min(fastest, figures.timeUs);
        }
    }
    m_latest = published;
}

} // namespace weir::sim
