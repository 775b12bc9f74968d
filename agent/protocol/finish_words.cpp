// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/finish_words.h"

#include <algorithm>
#include <array>

namespace weir::protocol {
namespace {

struct FinishWord
{
    std::string_view word;
    Ending ending;
};

constexpr std::array kWords = {
    FinishWord{"stop", Ending::Stop},
    FinishWord{"length", Ending::Length},
    FinishWord{"tool_calls", Ending::ToolCalls},
    FinishWord{"function_call", Ending::ToolCalls},
    FinishWord{"content_filter", Ending::ContentFilter},
    // Together's and Mistral's.
    FinishWord{"eos", Ending::Stop},
    FinishWord{"model_length", Ending::Length},
    // An aggregator's; vLLM's and DeepSeek's for an answer that the server gave up.
    FinishWord{"error", Ending::Failed},
    FinishWord{"abort", Ending::Failed},
    FinishWord{"insufficient_system_resource", Ending::Failed},
    // Anthropic's.
    FinishWord{"end_turn", Ending::Stop},
    FinishWord{"stop_sequence", Ending::StopSequence},
    FinishWord{"max_tokens", Ending::Length},
    FinishWord{"tool_use", Ending::ToolCalls},
    FinishWord{"pause_turn", Ending::Stop},
    FinishWord{"refusal", Ending::ContentFilter},
    FinishWord{"model_context_window_exceeded", Ending::Length},
    // Of OpenAI's Responses.
    FinishWord{"completed", Ending::Stop},
    FinishWord{"max_output_tokens", Ending::Length},
    FinishWord{"failed", Ending::Failed},
};

const FinishWord* find(std::string_view word)
{
    const auto* const found = std::find_if(
        kWords.begin(), kWords.end(), [word](const FinishWord& row) { return row.word == word; });
    return found == kWords.end() ? nullptr : found;
}

} // namespace

Ending endingOf(std::string_view finishReason)
{
    const FinishWord* const found = find(finishReason);
    return found != nullptr ? found->ending : Ending::Stop;
}

bool isFinishWord(std::string_view word)
{
    return find(word) != nullptr;
}

std::string_view finishWord(Protocol to, Ending ending, bool hasToolCalls)
{
    const bool toAnthropic = to == Protocol::Anthropic;
    switch (ending) {
    case Ending::Length:
        return toAnthropic ? "max_tokens" : "length";
    case Ending::ContentFilter:
        return toAnthropic ? "refusal" : "content_filter";
    case Ending::StopSequence:
        if (toAnthropic && !hasToolCalls) return "stop_sequence";
        break;
    case Ending::Stop:
    case Ending::ToolCalls:
    case Ending::Failed:
        break;
    }
    if (hasToolCalls) return toAnthropic ? "tool_use" : "tool_calls";
    return toAnthropic ? "end_turn" : "stop";
}

} // namespace weir::protocol
