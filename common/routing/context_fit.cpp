// SPDX-License-Identifier: Apache-2.0
#include "common/routing/context_fit.h"

#include "common/base/fixed_point.h"
#include "common/model/policy.h"
#include "common/routing/token_bound.h"

#include <algorithm>

namespace weir::routing {

bool isSound(const RouteOption& route)
{
    return route.gate.hold == HoldKind::None && route.gate.breaker == BreakerState::Closed;
}

Fit fitOf(
    const PromptLength& length,
    const RouteConfig& route,
    const TokenBound& bound,
    std::optional<std::int64_t> counted)
{
    if (route.contextTokens <= 0) return Fit::Surely;
    if (length.atLeast > route.contextTokens) return Fit::No;
    const std::int64_t window = route.contextTokens;
    const std::int64_t bounded = mulDiv(length.estimate, boundPpm(bound), kPpm);
    const std::int64_t prompt = counted.value_or(std::max(bounded, length.atLeast));
    std::int64_t answer = length.answerMax.value_or(std::min(kAnswerAllowance, window / 4));
    if (route.maxOutputTokens > 0) answer = std::min(answer, route.maxOutputTokens);
    const std::int64_t room =
        window - std::max<std::int64_t>(answer, 0) - std::min(kContextMargin, window / 16);
    return prompt > room ? Fit::Perhaps : Fit::Surely;
}

void excludeTooSmall(std::span<RouteOption> routes, std::span<const Fit> fits)
{
    bool sureServes = false;
    bool anyMayFit = false;
    for (std::size_t i = 0; i < routes.size(); ++i) {
        if (routes[i].exclusion != Exclusion::None) continue;
        sureServes = sureServes || (fits[i] == Fit::Surely && isSound(routes[i]));
        anyMayFit = anyMayFit || fits[i] != Fit::No;
    }
    if (!anyMayFit) return;
    for (std::size_t i = 0; i < routes.size(); ++i) {
        if (routes[i].exclusion != Exclusion::None) continue;
        const bool stays = fits[i] == Fit::Surely || (fits[i] == Fit::Perhaps && !sureServes);
        if (!stays) routes[i].exclusion = Exclusion::Context;
    }
}

} // namespace weir::routing
