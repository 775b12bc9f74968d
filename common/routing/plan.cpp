// SPDX-License-Identifier: Apache-2.0
#include "common/routing/plan.h"

#include "common/base/fixed_point.h"
#include "common/routing/leader.h"
#include "common/routing/score.h"
#include "common/routing/share_plan.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

namespace weir::routing {
namespace {

/// routing.md section 7.
constexpr std::int64_t kExploreMinPpm = 10'000;
/// With more routes than this a rotated subset of the day is explored.
constexpr std::size_t kExploredMost = 20;
constexpr std::int64_t kDayMs = 86'400'000;

bool trustedNow(const RouteFigures& figures, const RouteSetup& setup)
{
    return setup.enabled && figures.sampleOk && !figures.qualityFlag && figures.timeUs > 0 &&
           setup.breaker == BreakerState::Closed && setup.hold == HoldKind::None &&
           setup.aboveFloor;
}

void scorePool(PoolSummary& next, const PoolSetup& setup, const RoutingPolicy& policy)
{
    std::vector<Standing> standings;
    for (std::size_t i = 0; i < next.routes.size(); ++i) {
        RouteFigures& figures = next.routes[i];
        figures.biasPpm = setup.routes[i].biasPpm;
        figures.limitMilliRps = setup.routes[i].limitMilliRps;
        figures.trusted = trustedNow(figures, setup.routes[i]);
        standings.push_back(standingOf(figures, setup.routes[i].biasPpm, figures.trusted));
    }
    score(standings, policy);
    for (std::size_t i = 0; i < next.routes.size(); ++i) {
        next.routes[i].slow = standings[i].slow;
        next.routes[i].score = standings[i].score;
    }
}

void rankPool(PoolSummary& next, const PoolSetup& setup)
{
    std::vector<std::size_t> order(next.routes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto before = [&next, &setup](std::size_t a, std::size_t b) {
        const auto key = [&next, &setup](std::size_t i) {
            const RouteFigures& route = next.routes[i];
            return std::tuple(
                !setup.routes[i].enabled,
                route.provider != next.leader,
                route.slow,
                !route.sampleOk,
                route.slow ? 0 : -route.score,
                route.timeUs,
                setup.routes[i].fixedPosition);
        };
        return key(a) < key(b);
    };
    std::sort(order.begin(), order.end(), before);
    for (std::size_t place = 0; place < order.size(); ++place)
        next.routes[order[place]].rank = static_cast<int>(place) + 1;
}

/// Who serves while nobody leads: the first of the fixed order.
std::size_t firstConfigured(const PoolSetup& setup)
{
    std::size_t first = setup.routes.size();
    for (std::size_t i = 0; i < setup.routes.size(); ++i) {
        if (!setup.routes[i].enabled) continue;
        if (first == setup.routes.size() ||
            setup.routes[i].fixedPosition < setup.routes[first].fixedPosition) {
            first = i;
        }
    }
    return first;
}

void planExploration(
    PoolSummary& next, const PoolSetup& setup, const RoutingPolicy& policy, std::int64_t nowMs)
{
    const std::size_t leader = indexOf(next, next.leader).value_or(firstConfigured(setup));
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < next.routes.size(); ++i) {
        next.routes[i].explorePpm = 0;
        if (setup.routes[i].enabled && i != leader) others.push_back(i);
    }
    if (others.empty()) return;
    if (others.size() > kExploredMost) {
        const auto turn = static_cast<std::size_t>(nowMs / kDayMs) * kExploredMost;
        std::rotate(
            others.begin(),
            others.begin() + static_cast<std::ptrdiff_t>(turn % others.size()),
            others.end());
        others.resize(kExploredMost);
    }
    const auto count = static_cast<std::int64_t>(others.size());
    const std::int64_t even = std::max(
        kExploreMinPpm, std::min(policy.explorationSharePpm, policy.explorationCapPpm / count));
    const std::int64_t explorable = std::clamp(next.explorablePpm, kPpm / 10, kPpm);
    for (const std::size_t i : others) {
        // A share of all traffic, drawn among the part of it that may explore.
        next.routes[i].explorePpm = std::min(kExploreMaxPpm, mulDiv(even, kPpm, explorable));
    }
}

} // namespace

void planPool(
    const PoolSummary* previous,
    PoolSummary& next,
    const PoolSetup& setup,
    const RoutingPolicy& policy,
    std::int64_t nowMs)
{
    WEIR_ASSERT(next.routes.size() == setup.routes.size());
    next.demandMilliRps = setup.demandMilliRps;
    next.intervalMs = setup.intervalMs;
    scorePool(next, setup, policy);
    chooseLeader(previous, next, setup, policy, nowMs);
    rankPool(next, setup);
    planExploration(next, setup, policy, nowMs);
    planShares(previous, next, nowMs);
}

PoolSummary replan(
    const PoolSummary* previous,
    const PoolSummary& saved,
    const RoutingPolicy& policy,
    std::int64_t computedAtMs)
{
    PoolSetup setup;
    setup.model = saved.model;
    setup.taskType = saved.taskType;
    setup.demandMilliRps = saved.demandMilliRps;
    setup.intervalMs = saved.intervalMs;
    for (const RouteFigures& route : saved.routes) {
        RouteSetup known;
        known.provider = route.provider;
        known.fixedPosition = static_cast<std::uint16_t>(setup.routes.size());
        known.enabled = route.trusted || route.explorePpm > 0 || route.provider == saved.leader;
        known.biasPpm = route.biasPpm;
        known.limitMilliRps = route.limitMilliRps;
        // Whatever kept it out of the comparison then keeps it out now.
        known.aboveFloor = route.trusted;
        setup.routes.push_back(known);
    }
    PoolSummary next = saved;
    next.leader.clear();
    next.leaderSinceMs = 0;
    next.displaced.clear();
    next.leaderChangesMs.clear();
    next.marginRaisedUntilMs = 0;
    planPool(previous, next, setup, policy, computedAtMs);
    return next;
}

} // namespace weir::routing
