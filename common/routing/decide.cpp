// SPDX-License-Identifier: Apache-2.0
#include "common/routing/decide.h"

#include <algorithm>
#include <tuple>

namespace weir::routing {
namespace {

constexpr std::size_t kMaskBits = 64;

std::uint64_t bit(std::size_t route)
{
    return route < kMaskBits ? std::uint64_t{1} << route : 0;
}

} // namespace

Decision decideFixed(std::span<const RouteView> routes, Instant now)
{
    Decision decision;
    std::size_t first = routes.size();
    for (std::size_t i = 0; i < routes.size(); ++i) {
        if (routes[i].exclusion != Exclusion::None) continue;
        decision.eligibleMask |= bit(i);
        if (routes[i].hold.holdsAt(now)) decision.heldMask |= bit(i);
        decision.candidates.push_back({i, Reason::Failover});
        if (first == routes.size() || routes[i].fixedPosition < routes[first].fixedPosition)
            first = i;
    }
    const auto key = [&routes, now](const Candidate& candidate) {
        const RouteView& route = routes[candidate.route];
        const bool held = route.hold.holdsAt(now);
        return std::tuple(held, held ? route.hold.until : Instant::min(), route.fixedPosition);
    };
    std::sort(
        decision.candidates.begin(),
        decision.candidates.end(),
        [&key](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
    for (Candidate& candidate : decision.candidates) {
        if (routes[candidate.route].hold.holdsAt(now)) {
            candidate.reason = Reason::LastResort;
        } else if (candidate.route == first) {
            candidate.reason = Reason::Fixed;
        }
    }
    return decision;
}

} // namespace weir::routing
