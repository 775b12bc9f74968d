// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/betas.h"

#include "common/base/text.h"

#include <algorithm>

namespace weir::proxy {
namespace {

bool matches(std::string_view pattern, std::string_view beta)
{
    if (!pattern.ends_with('*')) return pattern == beta;
    pattern.remove_suffix(1);
    return beta.starts_with(pattern);
}

bool matchesAny(const std::vector<std::string>& patterns, std::string_view beta)
{
    return std::any_of(patterns.begin(), patterns.end(), [beta](const std::string& pattern) {
        return matches(pattern, beta);
    });
}

} // namespace

std::vector<std::string_view> betasIn(std::string_view list)
{
    std::vector<std::string_view> betas;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        const std::string_view beta = trimmed(list.substr(0, comma));
        if (!beta.empty()) betas.push_back(beta);
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return betas;
}

BetaChoice betasFor(
    std::string_view list, const ProviderConfig& provider, const std::vector<std::string>& optional)
{
    BetaChoice choice;
    for (const std::string_view beta : betasIn(list)) {
        if (matchesAny(provider.betas, beta)) {
            if (!choice.forwarded.empty()) choice.forwarded += ',';
            choice.forwarded += beta;
        } else if (choice.missing.empty() && !matchesAny(optional, beta)) {
            choice.missing = beta;
        }
    }
    return choice;
}

} // namespace weir::proxy
