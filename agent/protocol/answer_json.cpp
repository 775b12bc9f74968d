// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/answer_json.h"

#include <algorithm>
#include <array>

namespace weir::protocol {
namespace {

using json::Raw;
using simdjson::error_code;
using simdjson::SUCCESS;
namespace od = json::od;

using Field = std::optional<std::int64_t> UsageCounts::*;

struct CountName
{
    std::string_view name;
    Field field;
};

constexpr std::array kOpenAiCounts = {
    CountName{"prompt_tokens", &UsageCounts::input},
    CountName{"completion_tokens", &UsageCounts::output},
    CountName{"total_tokens", &UsageCounts::total},
    // Moonshot's and DeepSeek's spellings of prompt_tokens_details.cached_tokens.
    CountName{"cached_tokens", &UsageCounts::cached},
    CountName{"prompt_cache_hit_tokens", &UsageCounts::cached},
};

constexpr std::array kOpenAiDetails = {
    CountName{"cached_tokens", &UsageCounts::cached},
    CountName{"cache_write_tokens", &UsageCounts::cacheWrite},
    CountName{"cache_creation_tokens", &UsageCounts::cacheWrite},
    CountName{"reasoning_tokens", &UsageCounts::reasoning},
};

constexpr std::array kAnthropicCounts = {
    CountName{"input_tokens", &UsageCounts::input},
    CountName{"output_tokens", &UsageCounts::output},
    CountName{"cache_read_input_tokens", &UsageCounts::cached},
    CountName{"cache_creation_input_tokens", &UsageCounts::cacheWrite},
};

template <std::size_t size>
void readCount(
    const std::array<CountName, size>& names, Raw key, od::value& value, UsageCounts& counts)
{
    const auto known = std::find_if(
        names.begin(), names.end(), [key](const CountName& name) { return key.is(name.name); });
    if (known == names.end()) return;
    if (const auto count = json::integerIn(value)) counts.*(known->field) = count;
}

/// A string counts with its text; the newer list of content parts (Mistral) with its bytes.
error_code readText(od::value& value, OutputSeen& output)
{
    std::size_t bytes = 0;
    if (const auto text = json::stringIn(value)) {
        bytes = text->textSize();
        output.any = output.any || bytes > 0;
    } else if (json::typeOf(value) == od::json_type::array) {
        std::string_view whole;
        if (const error_code error = json::wholeOf(value).get(whole)) return error;
        constexpr std::size_t kEmptyMax = 2;
        if (whole.size() > kEmptyMax) bytes = whole.size();
        output.any = output.any || bytes > 0;
    }
    output.textBytes += static_cast<std::int64_t>(bytes);
    return SUCCESS;
}

error_code readFunction(od::value& value, OutputSeen& output)
{
    return json::eachMember(value, [&output](Raw key, od::value& member) {
        const bool isText = key.is("name") || key.is("arguments");
        return isText ? readText(member, output) : SUCCESS;
    });
}

error_code readToolCalls(od::value& value, OutputSeen& output)
{
    return json::eachElement(value, [&output](od::value& call) {
        output.any = true;
        return json::eachMember(call, [&output](Raw key, od::value& member) {
            return key.is("function") || key.is("custom") ? readFunction(member, output) : SUCCESS;
        });
    });
}

/// Pictures, sound and encrypted reasoning: output, though no text.
void noteOpaque(od::value& value, OutputSeen& output)
{
    const auto type = json::typeOf(value);
    if (type == od::json_type::object) output.any = true;
}

} // namespace

error_code readUsage(Protocol protocol, od::value& value, UsageCounts& counts)
{
    if (protocol == Protocol::Anthropic) {
        return json::eachMember(value, [&counts](Raw key, od::value& member) {
            readCount(kAnthropicCounts, key, member, counts);
            return SUCCESS;
        });
    }
    const auto readDetail = [&counts](Raw key, od::value& member) {
        readCount(kOpenAiDetails, key, member, counts);
        return SUCCESS;
    };
    return json::eachMember(value, [&](Raw key, od::value& member) -> error_code {
        if (key.is("prompt_tokens_details") || key.is("completion_tokens_details")) {
            return json::eachMember(member, readDetail);
        }
        readCount(kOpenAiCounts, key, member, counts);
        return SUCCESS;
    });
}

error_code readOpenAiMessage(od::value& value, OutputSeen& output)
{
    // Two names of one thing: most servers send one of them, some both.
    OutputSeen reasoning;
    OutputSeen reasoningContent;
    const auto readMember = [&](Raw key, od::value& member) -> error_code {
        if (key.is("content") || key.is("refusal")) return readText(member, output);
        if (key.is("reasoning")) return readText(member, reasoning);
        if (key.is("reasoning_content")) return readText(member, reasoningContent);
        if (key.is("tool_calls")) return readToolCalls(member, output);
        if (key.is("function_call")) {
            noteOpaque(member, output);
            return readFunction(member, output);
        }
        if (key.is("audio")) noteOpaque(member, output);
        if (key.is("images") || key.is("reasoning_details")) {
            return json::eachElement(member, [&output](od::value& element) {
                noteOpaque(element, output);
                return SUCCESS;
            });
        }
        return SUCCESS;
    };
    const error_code error = json::eachMember(value, readMember);
    output.any = output.any || reasoning.any || reasoningContent.any;
    output.textBytes += std::max(reasoning.textBytes, reasoningContent.textBytes);
    return error;
}

error_code readAnthropicBlock(Raw key, od::value& value, OutputSeen& output)
{
    const bool isText = key.is("text") || key.is("thinking") || key.is("partial_json");
    return isText ? readText(value, output) : SUCCESS;
}

} // namespace weir::protocol
