// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/known_routes.h"

#include "agent/ctl/agent_client.h"

namespace weir::ctl {
namespace {

reports::KnownRoutes routesOf(const Config& config)
{
    reports::KnownRoutes known;
    known.complete = true;
    for (const auto& [name, model] : config.models) {
        for (const RouteConfig& route : model.routes)
            known.routes.push_back({name, route.provider});
    }
    return known;
}

} // namespace

reports::KnownRoutes knownRoutes(const Places& places, const Decisions& decisions)
{
    if (places.config()) return routesOf(*places.config());
    reports::KnownRoutes known;
    Waiter waiter;
    const Result<AgentAddress> agent = places.agent();
    const Result<StatusDocument> document =
        agent ? fetchStatus(waiter, *agent) : tl::unexpected{agent.error()};
    if (document) {
        known.complete = true;
        for (const ModelStatus& model : document->status.models) {
            for (const RouteStatus& route : model.routes) {
                known.routes.push_back({model.name, route.provider});
            }
        }
    }
    for (const RouteSettings& row : decisions.routes)
        known.routes.push_back({row.model, row.provider});
    return known;
}

} // namespace weir::ctl
