// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/gates.h"

#include <algorithm>

namespace weir::fleet {

std::set<RouteStates::Key>
markEverUsed(RouteStates& states, const std::vector<SavedGate>& saved, Instant now)
{
    std::set<RouteStates::Key> known;
    for (const SavedGate& row : saved) {
        states.of(row.model, row.provider, now)->setEverUsed(now);
        known.emplace(row.model, row.provider);
    }
    // A route is new where others of its model are known. Where nothing is, at the very first
    // start, there is no traffic to be careful with, and nobody to take what a slow start refuses.
    for (const auto& [key, route] : states.all()) {
        const bool modelKnown = std::any_of(
            saved.begin(), saved.end(), [&key](const auto& row) { return row.model == key.first; });
        if (modelKnown) continue;
        route->setEverUsed(now);
        known.insert(key);
    }
    return known;
}

bool isNewer(const routing::AccountHold& hold, const routing::AccountHold& than)
{
    return hold.releases >= than.releases && hold.sinceMs >= than.sinceMs;
}

} // namespace weir::fleet
