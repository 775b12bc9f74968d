// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/prompt_fit.h"

namespace weir::proxy {
namespace {

routing::PromptLength lengthOf(const ChoiceContext& context)
{
    routing::PromptLength length;
    length.atLeast = protocol::promptTokensMin(context.facts.shape);
    length.estimate = protocol::promptEstimate(context.facts.shape);
    length.answerMax = context.facts.maxTokens;
    if (context.request.endpoint == ApiPath::Embeddings) length.answerMax = 0;
    return length;
}

} // namespace

PromptFits promptFits(const ChoiceContext& context, const routing::PoolView& pool)
{
    const routing::PromptLength length = lengthOf(context);
    PromptFits fits;
    for (std::size_t i = 0; i < context.model.routes.size(); ++i) {
        const RouteFigures* const figures = pool.figures(i);
        const TokenBound bound = figures == nullptr ? TokenBound{} : figures->tokens;
        fits.push_back(routing::fitOf(length, context.model.routes[i].config, bound));
    }
    return fits;
}

void appendPerhaps(const DecisionInput& input, const PromptFits& fits, Decision& decision)
{
    if (input.singleShot) return;
    for (std::size_t i = 0; i < input.routes.size(); ++i) {
        const RouteOption& option = input.routes[i];
        if (option.exclusion != Exclusion::Context || fits[i] != routing::Fit::Perhaps) continue;
        if (!routing::isSound(option)) continue;
        decision.candidates.push_back(
            {static_cast<std::uint8_t>(i), ReasonCode::Ineligible, Reason::LastResort});
    }
}

} // namespace weir::proxy
