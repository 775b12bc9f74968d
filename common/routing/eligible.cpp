// SPDX-License-Identifier: Apache-2.0
#include "common/routing/eligible.h"

#include "common/base/text.h"

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

bool names(const std::vector<std::string_view>& list, const std::string& provider)
{
    return std::any_of(list.begin(), list.end(), [&provider](std::string_view name) {
        return meansProvider(name, provider);
    });
}

bool exceeds(std::int64_t Price::*part, const RouteConfig& route, std::optional<std::int64_t> limit)
{
    if (!limit) return false;
    return !route.price || (*route.price).*part > *limit;
}

} // namespace

bool meansProvider(std::string_view name, std::string_view provider)
{
    return equalsIgnoreCase(name, provider) ||
           equalsIgnoreCase(name.substr(0, name.find('/')), provider);
}

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
    case Exclusion::Context:
        return "the length of the prompt";
    case Exclusion::Quality:
        return "the task's quality floor";
    }
    return "nothing";
}

Exclusion
exclusionOf(const RouteConfig& route, bool expressible, bool enabled, const Demands& demands)
{
    if (!enabled) return Exclusion::Disabled;
    if (!expressible) return Exclusion::Protocol;
    if (!containsAll(route.capabilities, demands.capabilities)) return Exclusion::Capability;
    const bool tooShort = route.maxOutputTokens > 0 && demands.answerTokens > route.maxOutputTokens;
    if (tooShort) return Exclusion::Capability;
    const bool inRegion = demands.regions.empty() ||
                          std::find(demands.regions.begin(), demands.regions.end(), route.region) !=
                              demands.regions.end();
    if (!inRegion) return Exclusion::Region;
    if (!containsAll(route.terms, demands.terms)) return Exclusion::Terms;
    if (!demands.anyTerm.empty() &&
        std::none_of(demands.anyTerm.begin(), demands.anyTerm.end(), [&route](auto term) {
            return contains(route.terms, term);
        })) {
        return Exclusion::Terms;
    }
    const bool chosen = demands.only.empty() || names(demands.only, route.provider);
    if (!chosen || names(demands.ignore, route.provider)) return Exclusion::Caller;
    if (exceeds(&Price::input, route, demands.maxInputPrice) ||
        exceeds(&Price::output, route, demands.maxOutputPrice)) {
        return Exclusion::Price;
    }
    return Exclusion::None;
}

} // namespace weir::routing
