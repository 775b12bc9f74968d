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

BetaChoice betasFor(
    std::string_view list, const ProviderConfig& provider, const std::vector<std::string>& optional)
{
    BetaChoice choice;
    for (const std::string_view beta : listElements(list)) {
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
