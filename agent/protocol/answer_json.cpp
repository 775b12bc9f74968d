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
    // Moonshot's, DeepSeek's and Mistral's spellings of prompt_tokens_details.cached_tokens.
    CountName{"cached_tokens", &UsageCounts::cached},
    CountName{"prompt_cache_hit_tokens", &UsageCounts::cached},
    CountName{"num_cached_tokens", &UsageCounts::cached},
    // SGLang's place for what others put into the details.
    CountName{"reasoning_tokens", &UsageCounts::reasoning},
};

constexpr std::array kOpenAiDetails = {
    CountName{"cached_tokens", &UsageCounts::cached},
    CountName{"cache_write_tokens", &UsageCounts::cacheWrite},
    CountName{"cache_creation_tokens", &UsageCounts::cacheWrite},
    CountName{"reasoning_tokens", &UsageCounts::reasoning},
};

constexpr std::array kResponsesCounts = {
    CountName{"input_tokens", &UsageCounts::input},
    CountName{"output_tokens", &UsageCounts::output},
    CountName{"total_tokens", &UsageCounts::total},
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

/// `isNew` where the call is named.
error_code readFunction(od::value& value, OutputSeen& output, bool& isNew)
{
    return json::eachMember(value, [&](Raw key, od::value& member) -> error_code {
        if (key.is("arguments")) return readText(member, output);
        if (!key.is("name")) return SUCCESS;
        OutputSeen name;
        const error_code error = readText(member, name);
        output.textBytes += name.textBytes;
        isNew = isNew || name.any;
        return error;
    });
}

error_code readToolCalls(od::value& value, OutputSeen& output)
{
    std::size_t calls = 0;
    bool isNew = false;
    const auto readMember = [&](Raw key, od::value& member) -> error_code {
        if (key.is("index")) output.index = json::integerIn(member);
        if (key.is("id")) isNew = isNew || !json::stringIn(member).value_or(Raw{}).bytes.empty();
        const bool isFunction = key.is("function") || key.is("custom");
        return isFunction ? readFunction(member, output, isNew) : SUCCESS;
    };
    const error_code error = json::eachElement(value, [&](od::value& call) {
        ++calls;
        return json::eachMember(call, readMember);
    });
    output.any = output.any || calls > 0;
    const bool isPiece = calls == 1 && !isNew && output.index && !output.text.bytes.empty();
    if (isPiece) output.kind = OutputSeen::Kind::Arguments;
    return error;
}

/// Pictures, sound and encrypted reasoning: output, though no text.
void noteOpaque(od::value& value, OutputSeen& output)
{
    const auto type = json::typeOf(value);
    if (type == od::json_type::object) output.any = true;
}

/// What was written into the cache, by how long it stays there.
error_code readCacheCreation(od::value& value, UsageCounts& counts)
{
    std::optional<std::int64_t> sum;
    const auto readMember = [&sum](Raw, od::value& member) {
        constexpr std::int64_t kSumMax = 1'000'000'000'000;
        const auto count = json::integerIn(member);
        if (count && *count <= kSumMax && *count >= 0) sum = sum.value_or(0) + *count;
        return SUCCESS;
    };
    const error_code error = json::eachMember(value, readMember);
    if (!counts.cacheWrite) counts.cacheWrite = sum;
    return error;
}

error_code readAnthropicUsage(od::value& value, UsageCounts& counts)
{
    return json::eachMember(value, [&counts](Raw key, od::value& member) {
        if (key.is("cache_creation")) return readCacheCreation(member, counts);
        readCount(kAnthropicCounts, key, member, counts);
        return SUCCESS;
    });
}

} // namespace

error_code readUsage(Api api, od::value& value, UsageCounts& counts)
{
    if (api == Api::Messages) return readAnthropicUsage(value, counts);
    const auto readDetail = [&counts](Raw key, od::value& member) {
        readCount(kOpenAiDetails, key, member, counts);
        return SUCCESS;
    };
    const bool isResponses = api == Api::Responses;
    return json::eachMember(value, [&](Raw key, od::value& member) -> error_code {
        const bool isDetail =
            isResponses ? key.is("input_tokens_details") || key.is("output_tokens_details")
                        : key.is("prompt_tokens_details") || key.is("completion_tokens_details");
        if (isDetail) return json::eachMember(member, readDetail);
        if (isResponses) {
            readCount(kResponsesCounts, key, member, counts);
        } else {
            readCount(kOpenAiCounts, key, member, counts);
        }
        return SUCCESS;
    });
}

error_code readText(od::value& value, OutputSeen& output)
{
    std::size_t bytes = 0;
    if (const auto text = json::stringIn(value)) {
        bytes = text->textSize();
        output.any = output.any || bytes > 0;
        output.text = *text;
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

error_code readOpenAiMessage(od::value& value, OutputSeen& output)
{
    OutputSeen content;
    // Two names of one thing: most servers send one of them, some both.
    OutputSeen reasoning;
    OutputSeen reasoningContent;
    OutputSeen calls;
    OutputSeen other;
    bool isNew = false;
    const auto readMember = [&](Raw key, od::value& member) -> error_code {
        if (key.is("content")) return readText(member, content);
        if (key.is("reasoning")) return readText(member, reasoning);
        if (key.is("reasoning_content")) return readText(member, reasoningContent);
        if (key.is("refusal")) return readText(member, other);
        if (key.is("tool_calls")) return readToolCalls(member, calls);
        if (key.is("function_call")) {
            noteOpaque(member, other);
            return readFunction(member, other, isNew);
        }
        if (key.is("audio")) noteOpaque(member, other);
        if (key.is("images") || key.is("reasoning_details")) {
            return json::eachElement(member, [&other](od::value& element) {
                noteOpaque(element, other);
                return SUCCESS;
            });
        }
        return SUCCESS;
    };
    const error_code error = json::eachMember(value, readMember);
    const OutputSeen& thinking = reasoningContent.any ? reasoningContent : reasoning;
    const bool isFirst = !output.any;
    output.any = output.any || content.any || thinking.any || calls.any || other.any;
    output.textBytes += content.textBytes + calls.textBytes + other.textBytes +
                        std::max(reasoning.textBytes, reasoningContent.textBytes);
    const auto takeOne = [&output](const OutputSeen& one, OutputSeen::Kind kind) {
        output.text = one.text;
        output.index = one.index;
        output.kind = one.text.bytes.empty() ? OutputSeen::Kind::Other : kind;
    };
    output.kind = OutputSeen::Kind::Other;
    const int kinds = int{content.any} + int{thinking.any} + int{calls.any} + int{other.any};
    if (!isFirst || kinds != 1) return error;
    if (content.any) takeOne(content, OutputSeen::Kind::Text);
    if (thinking.any) takeOne(thinking, OutputSeen::Kind::Thinking);
    if (calls.any) takeOne(calls, calls.kind);
    return error;
}

error_code readAnthropicBlock(Raw key, od::value& value, OutputSeen& output)
{
    if (key.is("partial_json")) {
        output.kind = OutputSeen::Kind::Arguments;
        return readText(value, output);
    }
    const bool isText = key.is("text");
    if (!isText && !key.is("thinking")) return SUCCESS;
    output.kind = isText ? OutputSeen::Kind::Text : OutputSeen::Kind::Thinking;
    return readText(value, output);
}

error_code readResponsesItem(od::value& item, OutputSeen& output)
{
    bool isPlain = false;
    const auto readPart = [&output](Raw key, od::value& member) {
        return key.is("text") || key.is("refusal") ? readText(member, output) : SUCCESS;
    };
    const auto readMember = [&](Raw key, od::value& member) -> error_code {
        if (key.is("type")) {
            const Raw type = json::stringIn(member).value_or(Raw{});
            isPlain = type.is("message") || type.is("reasoning");
        }
        if (key.is("arguments") || key.is("input")) return readText(member, output);
        if (!key.is("content") && !key.is("summary")) return SUCCESS;
        return json::eachElement(
            member, [&readPart](od::value& part) { return json::eachMember(part, readPart); });
    };
    const error_code error = json::eachMember(item, readMember);
    if (!isPlain) output.any = true;
    return error;
}

error_code readResponsesStatus(Raw key, od::value& value, std::string& finishReason)
{
    const auto take = [&finishReason](od::value& word) {
        if (const auto text = json::stringIn(word)) finishReason = text->bytes;
    };
    if (key.is("status") && finishReason.empty()) take(value);
    if (!key.is("incomplete_details")) return SUCCESS;
    return json::eachMember(value, [&take](Raw name, od::value& member) {
        if (name.is("reason")) take(member);
        return SUCCESS;
    });
}

} // namespace weir::protocol
