// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/content.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace weir::fake {

namespace {

double draw(const Spread& spread, Draws& random)
{
    if (spread.median <= 0 || spread.sigma <= 0) return spread.median;
    return spread.median * std::exp(std::normal_distribution<double>(0, spread.sigma)(random));
}

bool wantsTool(const Script& script, const Ask& ask)
{
    if (script.tools == ToolUse::Never || (!ask.tool && script.toolCalls.empty())) return false;
    if (script.tools == ToolUse::Always) return true;
    if (ask.toolAnswered || !ask.tool) return false;
    return ask.toolDemanded || ask.lastUserText.find("use a tool") != std::string::npos;
}

/// The text that is not generated, if there is one.
std::optional<std::string> givenText(const Script& script, const Ask& ask)
{
    if (script.echo) return ask.lastUserText;
    if (script.text) return script.text;
    if (!ask.schemaAnswer.empty()) return ask.schemaAnswer;
    return std::nullopt;
}

/// Goes on behind what the request says already, blanks at its end aside.
void continueAfter(std::string prefill, Plan& plan)
{
    prefill.resize(prefill.find_last_not_of(" \n\t") + 1);
    const std::string whole = textOf(plan, 0, plan.textTokens);
    if (prefill.empty() || !whole.starts_with(prefill)) return;
    plan.words = wordsOf(std::string_view(whole).substr(prefill.size()));
    plan.textTokens = plan.words.size();
}

void fillText(const Script& script, const Ask& ask, Draws& random, Plan& plan)
{
    if (const auto text = givenText(script, ask)) {
        plan.words = wordsOf(*text);
        plan.textTokens = plan.words.size();
    } else {
        plan.textTokens = static_cast<std::uint64_t>(
            std::max(1.0, std::round(draw(script.outputTokens, random))));
    }
    continueAfter(ask.prefill, plan);
    if (ask.maxTokens && *ask.maxTokens < plan.textTokens) {
        plan.textTokens = *ask.maxTokens;
        plan.finishReason = "length";
    }
    plan.usage.output = plan.textTokens;
}

void fillCalls(const Script& script, const Ask& ask, Plan& plan)
{
    plan.calls = script.toolCalls;
    if (plan.calls.empty()) plan.calls.push_back(*ask.tool);
    plan.finishReason = "tool_calls";
    if (script.text) plan.words = wordsOf(*script.text);
    plan.textTokens = plan.words.size();
    plan.usage.output = plan.textTokens;
    for (const ToolCall& call : plan.calls)
        plan.usage.output += 8 + (call.arguments.size() + 3) / 4;
}

} // namespace

std::uint64_t inputTokens(const Script& script, const Ask& ask)
{
    if (script.inputTokens) return *script.inputTokens;
    // Counted with four bytes a token.
    const double tokens = static_cast<double>(ask.inputTokens) * 4 * script.tokensPerByte;
    return static_cast<std::uint64_t>(std::ceil(tokens));
}

void fillAnswer(
    const Script& script, const Ask& ask, std::uint64_t cached, Draws& random, Plan& plan)
{
    plan.embeddings = ask.embeddingInputs;
    plan.base64Embeddings = ask.base64Embeddings;
    plan.encryptedReasoning = ask.encryptedReasoning;
    plan.reasoningField = script.reasoningField;
    plan.redacted = script.redacted;
    plan.issuer = script.seed;
    plan.usage.input = inputTokens(script, ask);
    plan.usage.cached = std::min(plan.usage.input, cached);
    plan.usage.created = std::min(plan.usage.input - plan.usage.cached, script.cacheCreationTokens);
    plan.usage.reasoning = script.reasoningTokens;
    plan.finishReason = "stop";
    if (wantsTool(script, ask))
        fillCalls(script, ask, plan);
    else
        fillText(script, ask, random, plan);
    plan.usage.output += plan.usage.reasoning;
    if (!script.finishReason.empty()) plan.finishReason = script.finishReason;
    const double cachedShare = plan.usage.input == 0 ? 0
                                                     : static_cast<double>(plan.usage.cached) /
                                                           static_cast<double>(plan.usage.input);
    const double factor = 1 - cachedShare * (1 - script.ttftCachedFactor);
    plan.delay += seconds(draw(script.ttftS, random) * factor);
    plan.tokensPerS = draw(script.tokensPerS, random);
}

} // namespace weir::fake
