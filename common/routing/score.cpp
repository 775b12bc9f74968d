// SPDX-License-Identifier: Apache-2.0
#include "common/routing/score.h"

#include "common/base/fixed_point.h"

#include <algorithm>
#include <limits>

namespace weir::routing {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

/// The smallest cost and time that others are measured by.
struct Reference
{
    std::int64_t cost = kNone;
    std::int64_t time = kNone;
};

Reference markSlow(std::span<Standing> routes, const RoutingPolicy& policy)
{
    Reference best;
    for (const Standing& route : routes) {
        if (route.trusted && route.timeUs > 0) best.time = std::min(best.time, route.timeUs);
    }
    if (best.time == kNone) return best;
    const std::int64_t limit = mulDiv(best.time, policy.slowFactorPpm, kPpm);
    for (Standing& route : routes) {
        route.slow = route.timeUs > limit;
        if (route.trusted && !route.slow && route.costNanoUsd > 0) {
            best.cost = std::min(best.cost, route.costNanoUsd);
        }
    }
    return best;
}

/// The weight's part of a score: all of it for the best, less in proportion.
std::int64_t part(std::int64_t weightPpm, std::int64_t best, std::int64_t value)
{
    if (value <= 0) return 0;
    return mulDiv(weightPpm * (kScoreOne / kPpm), std::min(best, value), value);
}

void scoreByParts(Standing& route, const Reference& best, const RoutingPolicy& policy)
{
    // Where no price is known at all, cost tells nobody apart.
    const bool priced = best.cost != kNone;
    route.costPart =
        part(policy.costWeightPpm, priced ? best.cost : 1, priced ? route.costNanoUsd : 1);
    route.speedPart = part(policy.speedWeightPpm, best.time, route.timeUs);
    route.score = route.costPart + route.speedPart;
}

/// Cost plus the price of time plus the price of failed tries, times the cost weight, in
/// nano-dollars. A second counts such that time is as heavy as the weights say at the reference
/// route; TTFT counts twice (routing.md section 1). `kNone` where cost or time is unknown.
std::int64_t routingCost(const Standing& route, const Reference& best, const RoutingPolicy& policy)
{
    if (route.timeUs <= 0 || route.costNanoUsd <= 0 || best.cost == kNone) return kNone;
    const auto price = [&best, &policy](std::int64_t nanoUsd, std::int64_t us) {
        return mulDiv(nanoUsd, policy.costWeightPpm, kPpm) +
               mulDiv(mulDiv(us, best.cost, best.time), policy.speedWeightPpm, kPpm);
    };
    constexpr std::int64_t kFailureMaxPpm = 950'000;
    const std::int64_t failure = std::clamp<std::int64_t>(route.failurePpm, 0, kFailureMaxPpm);
    return price(route.costNanoUsd, route.timeUs + route.ttftUs) +
           mulDiv(price(route.failedCostNanoUsd, route.failedTimeUs), failure, kPpm - failure);
}

void scoreByRoutingCost(
    std::span<Standing> routes, const Reference& best, const RoutingPolicy& policy)
{
    std::int64_t least = kNone;
    for (const Standing& route : routes) {
        if (route.trusted && !route.slow) least = std::min(least, routingCost(route, best, policy));
    }
    if (least == kNone) return;
    for (Standing& route : routes) {
        const std::int64_t cost = routingCost(route, best, policy);
        if (cost != kNone) route.score = part(kPpm, least + 1, cost + 1);
    }
}

} // namespace

Standing standingOf(const RouteFigures& figures, std::int64_t biasPpm, bool trusted)
{
    Standing standing;
    standing.costNanoUsd = figures.costNanoUsd;
    standing.timeUs = figures.timeUs;
    standing.ttftUs = figures.ttftUs.value;
    standing.failurePpm = figures.failurePpm;
    standing.failedCostNanoUsd = figures.failedCostNanoUsd;
    standing.failedTimeUs = figures.failedTimeUs;
    standing.biasPpm = biasPpm;
    standing.trusted = trusted;
    return standing;
}

void score(std::span<Standing> routes, const RoutingPolicy& policy)
{
    for (Standing& route : routes) {
        route.slow = false;
        route.score = route.costPart = route.speedPart = 0;
    }
    const Reference best = markSlow(routes, policy);
    if (best.time == kNone) return;
    if (policy.objective == Objective::RoutingCost) {
        scoreByRoutingCost(routes, best, policy);
    } else {
        for (Standing& route : routes)
            scoreByParts(route, best, policy);
    }
    for (Standing& route : routes)
        route.score = mulDiv(route.score, route.biasPpm, kPpm);
}

} // namespace weir::routing
