// SPDX-License-Identifier: Apache-2.0
#include "common/sim/oracle.h"

#include <algorithm>
#include <array>

namespace weir::sim {
namespace {

void add(Decision& decision, std::size_t route)
{
    const bool isFirst = decision.candidates.empty();
    decision.candidates.push_back(
        {static_cast<std::uint8_t>(route),
         isFirst ? ReasonCode::Best : ReasonCode::Failover,
         isFirst ? Reason::Leader : Reason::Failover});
    decision.eligibleMask |= std::uint64_t{1} << route;
}

std::vector<RouteRef> routesOf(const Scenario& scenario)
{
    std::vector<RouteRef> routes;
    for (std::size_t model = 0; model < scenario.models.size(); ++model) {
        for (std::size_t route = 0; route < scenario.models[model].routes.size(); ++route)
            routes.push_back({model, route});
    }
    return routes;
}

} // namespace

Decision chooseRoundRobin(const MayServe& routes, const LiveTask& task)
{
    Decision decision;
    for (std::size_t i = 0; i < routes.size(); ++i)
        add(decision, routes[(task.number + i) % routes.size()]);
    return decision;
}

Oracle::Oracle(const Scenario& scenario)
    : m_scenario(scenario)
    , m_truths(scenario.traffic.size())
{
}

void Oracle::update(const World& world)
{
    for (std::size_t s = 0; s < m_truths.size(); ++s) {
        const TrafficStream& stream = m_scenario.traffic[s];
        const double input = meanOf(stream.inputTokens);
        const double output = meanOf(stream.outputTokens);
        const double calls = (stream.callsMin + stream.callsMax) / 2.0;
        m_truths[s].assign(m_scenario.models.size(), {});
        for (const RouteRef route : routesOf(m_scenario)) {
            const RouteShape& shape = world.at(route).shape();
            // The first call of a task finds the shared prefix, the others their own.
            const bool stays = stream.gapS <= shape.cache.ttlS;
            const double first = shape.cache.sharedPrefix;
            const double found = (first + (calls - 1.0) * (stays ? 1.0 : first)) / calls;
            const double hit = found * shape.cache.hitWarm;
            const auto price = [](std::int64_t picoUsd) { return static_cast<double>(picoUsd); };
            Truth truth;
            truth.cost = input * ((1.0 - hit) * price(shape.price.input) +
                                  hit * price(shape.price.cachedInput)) +
                         output * price(shape.price.output);
            truth.time = meanOf(shape.ttftS) * (1.0 - (1.0 - shape.ttftCachedFactor) * found) +
                         output / meanOf(shape.tokensPerS);
            m_truths[s][route.model].push_back(truth);
        }
    }
}

Decision Oracle::choose(
    const World& world,
    std::size_t model,
    const MayServe& mayServe,
    const LiveTask& task,
    Micros now)
{
    const std::vector<Truth>& truths = m_truths[task.plan.stream][model];
    const RoutingSettings& settings = m_scenario.settings;

    struct Route
    {
        std::size_t index = 0;
        double cost = 0.0;
        double time = 0.0;
        bool accepts = false;
        double score = 0.0;
    };

    std::array<Route, kRoutesMax> routes;
    std::size_t count = 0;
    double fastest = 1e300;
    const Ask ask{task.plan.id, task.call, 1, 0, 0, -1};
    for (const std::uint8_t r : mayServe) {
        const RouteWorld& route = world.at({model, r});
        const double time = truths[r].time + static_cast<double>(route.waitNow(now)) / 1e6;
        const bool accepts = route.wouldAccept(ask, now);
        if (accepts) fastest = std::min(fastest, time);
        routes[count++] = {r, std::max(truths[r].cost, 1e-9), time, accepts, 0.0};
    }
    const double slowFrom = fastest * settings.number("slow_factor");
    double cheapest = 1e300;
    for (std::size_t i = 0; i < count; ++i) {
        if (routes[i].accepts && routes[i].time <= slowFrom)
            cheapest = std::min(cheapest, routes[i].cost);
    }
    for (std::size_t i = 0; i < count; ++i) {
        Route& route = routes[i];
        // Slow ones behind the others, those that refuse behind these.
        if (!route.accepts) continue;
        route.score = settings.number("cost_weight") * std::min(1.0, cheapest / route.cost) +
                      settings.number("speed_weight") * std::min(1.0, fastest / route.time);
        if (route.time > slowFrom) route.score *= 1e-3;
        if (task.servedHere() == static_cast<std::uint8_t>(route.index))
            route.score *= 1.0 + settings.number("switch_margin");
    }
    std::stable_sort(
        routes.begin(),
        routes.begin() + static_cast<std::ptrdiff_t>(count),
        [](const Route& a, const Route& b) { return a.score > b.score; });
    Decision decision;
    for (std::size_t i = 0; i < count; ++i)
        add(decision, routes[i].index);
    return decision;
}

} // namespace weir::sim
