// SPDX-License-Identifier: Apache-2.0
#include "common/routing/eligible.h"

#include <algorithm>

namespace weir::routing {
namespace {

bool contains(const std::vector<std::string>& words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool containsAll(const std::vector<std::string>& words, std::span<const std::string_view> wanted)
{
    return std::all_of(wanted.begin(), wanted.end(), [&words](std::string_view word) {
        return contains(words, word);
    });
}

} // namespace

std::string_view describe(Exclusion exclusion)
{
    switch (exclusion) {
    case Exclusion::None:
        return "nothing";
    case Exclusion::Disabled:
        return "the operator's enable flag";
    case Exclusion::Protocol:
        return "its protocol";
    case Exclusion::Capability:
        return "a missing capability";
    case Exclusion::Region:
        return "its region";
    case Exclusion::Terms:
        return "its contract terms";
    case Exclusion::Caller:
        return "the request's own choice of providers";
    case Exclusion::Price:
        return "the request's price limit";
    }
    return "nothing";
}

Exclusion
exclusionOf(const RouteConfig& route, Protocol routeProtocol, bool enabled, const Demands& demands)
{
    if (!enabled) return Exclusion::Disabled;
    if (routeProtocol != demands.protocol) return Exclusion::Protocol;
    if (!containsAll(route.capabilities, demands.capabilities)) return Exclusion::Capability;
    const bool inRegion = demands.regions.empty() ||
                          std::find(demands.regions.begin(), demands.regions.end(), route.region) !=
                              demands.regions.end();
    if (!inRegion) return Exclusion::Region;
    if (!containsAll(route.terms, demands.terms)) return Exclusion::Terms;
    return Exclusion::None;
}

} // namespace weir::routing
