// SPDX-License-Identifier: Apache-2.0
#include "common/sim/world.h"

#include <algorithm>

namespace weir::sim {

World::World(const Scenario& scenario, const Draws& draws)
{
    std::vector<std::string> names;
    std::uint32_t index = 0;
    for (const ScenarioModel& model : scenario.models) {
        m_routes.emplace_back();
        m_providers.emplace_back();
        m_regions.emplace_back();
        for (const ScenarioRoute& route : model.routes) {
            m_routes.back().emplace_back(draws, index++, route.shape);
            m_regions.back().push_back(route.region);
            const auto known = std::ranges::find(names, route.provider);
            m_providers.back().push_back(static_cast<std::size_t>(known - names.begin()));
            if (known == names.end()) names.push_back(route.provider);
        }
    }
    m_busyness.resize(names.size());
}

Answer World::answer(RouteRef route, const Ask& ask, Micros now)
{
    const bool isBound = ask.regions != nullptr && !ask.regions->empty();
    const std::string& region = m_regions[route.model][route.route];
    if (isBound && std::ranges::count(*ask.regions, region) == 0) ++m_residencyViolations;
    return at(route).answer(ask, now, m_busyness[m_providers[route.model][route.route]]);
}

void World::apply(const ScenarioEvent& event)
{
    for (const ShapeChange& change : event.changes)
        at(change.at).change(change.shape, event.at);
    for (const RouteRef route : event.burst)
        at(route).burst(event.at + event.burstFor);
}

} // namespace weir::sim
