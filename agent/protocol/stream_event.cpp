// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/stream_event.h"

#include "agent/protocol/answer_json.h"

#include <algorithm>

namespace weir::protocol {
namespace {

using json::Raw;
using simdjson::error_code;
using simdjson::SUCCESS;
namespace od = json::od;

std::string textIn(od::value& value)
{
    const auto raw = json::stringIn(value);
    return raw ? raw->text().value_or(std::string{raw->bytes}) : std::string{};
}

error_code readChoice(od::value& choice, StreamEvent& event)
{
    std::int64_t index = 0;
    std::string finish;
    const auto readField = [&](Raw key, od::value& member) -> error_code {
        if (key.is("index")) index = json::integerIn(member).value_or(0);
        if (key.is("error") && !json::isNull(member)) event.isError = true;
        if (key.is("finish_reason")) finish = textIn(member);
        return key.is("delta") ? readOpenAiMessage(member, event.output) : SUCCESS;
    };
    if (const error_code error = json::eachMember(choice, readField)) return error;
    event.hasChoices = true;
    const std::uint64_t bit = std::uint64_t{1} << std::clamp<std::int64_t>(index, 0, 63);
    event.seenChoices |= bit;
    if (finish.empty()) return SUCCESS;
    event.finishedChoices |= bit;
    event.finishReason = finish;
    return SUCCESS;
}

error_code readChunk(Raw key, od::value& member, StreamEvent& event)
{
    constexpr Api kApi = Api::ChatCompletions;
    if (key.is("error")) event.isError = !json::isNull(member);
    if (key.is("object") && json::stringIn(member).value_or(Raw{}).is("error")) {
        event.isError = true;
    }
    if (key.is("usage")) return readUsage(kApi, member, event.counts);
    // Groq's own place for what went wrong, and for usage that nobody asked for.
    if (key.is("x_groq")) {
        return json::eachMember(member, [&event](Raw name, od::value& field) -> error_code {
            if (name.is("error") && !json::isNull(field)) {
                event.isError = true;
                return json::wholeOf(field).get(event.innerError);
            }
            const bool isFirst = name.is("usage") && event.counts.isEmpty();
            return isFirst ? readUsage(kApi, field, event.counts) : SUCCESS;
        });
    }
    if (!key.is("choices")) return SUCCESS;
    return json::eachElement(
        member, [&event](od::value& choice) { return readChoice(choice, event); });
}

error_code readMessagesEvent(Raw key, od::value& member, StreamEvent& event)
{
    constexpr Api kApi = Api::Messages;
    if (key.is("type")) event.type = json::stringIn(member).value_or(Raw{});
    if (key.is("error")) event.isError = !json::isNull(member);
    if (key.is("index")) event.output.index = json::integerIn(member);
    if (key.is("usage")) return readUsage(kApi, member, event.counts);
    if (key.is("message")) {
        return json::eachMember(member, [&event](Raw name, od::value& field) -> error_code {
            if (name.is("content")) return readText(field, event.output);
            return name.is("usage") ? readUsage(kApi, field, event.counts) : SUCCESS;
        });
    }
    if (!key.is("delta") && !key.is("content_block")) return SUCCESS;
    return json::eachMember(member, [&event](Raw name, od::value& field) {
        if (name.is("type")) event.blockType = json::stringIn(field).value_or(Raw{});
        if (name.is("stop_reason")) event.finishReason = textIn(field);
        return readAnthropicBlock(name, field, event.output);
    });
}

error_code readResponse(od::value& response, StreamEvent& event)
{
    return json::eachMember(response, [&event](Raw key, od::value& member) -> error_code {
        if (key.is("error") && !json::isNull(member)) {
            return json::wholeOf(member).get(event.innerError);
        }
        if (key.is("usage")) return readUsage(Api::Responses, member, event.counts);
        return readResponsesStatus(key, member, event.finishReason);
    });
}

error_code readResponsesEvent(Raw key, od::value& member, StreamEvent& event)
{
    if (key.is("type")) event.type = json::stringIn(member).value_or(Raw{});
    if (key.is("error")) event.isError = !json::isNull(member);
    if (key.is("delta")) return readText(member, event.output);
    if (key.is("item")) return readResponsesItem(member, event.output);
    return key.is("response") ? readResponse(member, event) : SUCCESS;
}

error_code readMember(Api api, Raw key, od::value& member, StreamEvent& event)
{
    switch (api) {
    case Api::Messages:
        return readMessagesEvent(key, member, event);
    case Api::Responses:
        return readResponsesEvent(key, member, event);
    case Api::ChatCompletions:
    case Api::Embeddings:
        break;
    }
    return readChunk(key, member, event);
}

} // namespace

bool readStreamEvent(Api api, std::string_view padded, StreamEvent& event)
{
    json::Parser parser;
    od::object object;
    error_code error = parser.openPadded(padded, object);
    if (!error) {
        error = json::eachMember(object, [&](Raw key, od::value& member) {
            return readMember(api, key, member, event);
        });
    }
    return !error && parser.isAtEnd();
}

} // namespace weir::protocol
