// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/sim/route_world.h"
#include "common/sim/scenario.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::sim {

/// All providers of a scenario. A route is named by model and index in it.
class World final
{
public:
    World(const Scenario& scenario, const Draws& draws);

    [[nodiscard]] Answer answer(RouteRef route, const Ask& ask, Micros now);
    /// Applies what the event says of providers.
    void apply(const ScenarioEvent& event);

    [[nodiscard]] RouteWorld& at(RouteRef route) { return m_routes[route.model][route.route]; }

    [[nodiscard]] const RouteWorld& at(RouteRef route) const
    {
        return m_routes[route.model][route.route];
    }

    [[nodiscard]] std::size_t routesOf(std::size_t model) const { return m_routes[model].size(); }

    /// Attempts that came to a region where the request's data must not be: what an auditor of the
    /// providers would find, whatever the router believes.
    [[nodiscard]] std::uint64_t residencyViolations() const { return m_residencyViolations; }

private:
    std::vector<std::vector<RouteWorld>> m_routes;
    /// By model and route.
    std::vector<std::vector<std::string>> m_regions;
    /// By model and route: whose it is.
    std::vector<std::vector<std::size_t>> m_providers;
    std::vector<Busyness> m_busyness;
    std::uint64_t m_residencyViolations = 0;
};

} // namespace weir::sim
