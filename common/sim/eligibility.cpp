// SPDX-License-Identifier: Apache-2.0
#include "common/sim/eligibility.h"

#include "common/routing/eligible.h"

namespace weir::sim {

Eligibility::Eligibility(const Scenario& scenario)
{
    for (const TrafficStream& stream : scenario.traffic) {
        routing::Demands demands;
        demands.regions.assign(stream.regions.begin(), stream.regions.end());
        demands.terms.assign(stream.terms.begin(), stream.terms.end());
        m_exclusions.emplace_back();
        for (const ScenarioModel& model : scenario.models) {
            m_exclusions.back().emplace_back();
            for (const ScenarioRoute& route : model.routes) {
                RouteConfig config;
                config.provider = route.provider;
                config.region = route.region;
                config.terms = route.terms;
                m_exclusions.back().back().push_back(
                    routing::exclusionOf(config, true, true, demands));
            }
        }
    }
}

} // namespace weir::sim
