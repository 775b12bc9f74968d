// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/prompt_fit.h"

#include <algorithm>

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

/// The prompt as a route's own tokenizer counts it; each is asked once.
class Counted final
{
public:
    explicit Counted(const ChoiceContext& context)
        : m_context(context)
    {
    }

    std::int64_t by(const protocol::Tokenizer& tokenizer)
    {
        if (m_last == &tokenizer) return m_tokens;
        if (m_last == nullptr) {
            m_texts = protocol::promptTexts(apiOf(m_context.request.endpoint), m_context.body);
        }
        m_last = &tokenizer;
        m_tokens = protocol::promptTokens(tokenizer, m_texts, m_context.facts.shape);
        return m_tokens;
    }

private:
    const ChoiceContext& m_context;
    std::vector<std::string_view> m_texts;
    const protocol::Tokenizer* m_last = nullptr;
    std::int64_t m_tokens = 0;
};

} // namespace

PromptFits
promptFits(const ChoiceContext& context, const routing::PoolView& pool, const DecisionInput& input)
{
    const routing::PromptLength length = lengthOf(context);
    const auto left =
        std::count_if(input.routes.begin(), input.routes.end(), [](const RouteOption& option) {
            return option.exclusion == Exclusion::None;
        });
    Counted counted(context);
    PromptFits fits;
    for (std::size_t i = 0; i < input.routes.size(); ++i) {
        const RouteRuntime& route = context.model.routes[i];
        const RouteFigures* const figures = pool.figures(i);
        const TokenBound bound = figures == nullptr ? TokenBound{} : figures->tokens;
        routing::Fit fit = routing::fitOf(length, route.config, bound);
        const bool isOpen = fit == routing::Fit::Perhaps && left > 1 && route.tokenizer &&
                            input.routes[i].exclusion == Exclusion::None;
        if (isOpen) fit = routing::fitOf(length, route.config, bound, counted.by(*route.tokenizer));
        fits.push_back(fit);
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
