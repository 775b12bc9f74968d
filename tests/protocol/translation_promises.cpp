// SPDX-License-Identifier: Apache-2.0
#include "tests/protocol/translation_promises.h"

#include "agent/protocol/json_tree.h"
#include "agent/protocol/request.h"
#include "agent/protocol/tool_ids.h"
#include "agent/protocol/translate_request.h"
#include "tests/protocol/padded.h"
#include "tests/protocol/readable_json.h"

#include <array>
#include <set>
#include <vector>

namespace weir::protocol::promises {
namespace {

using nlohmann::json;
using Broken = std::optional<std::string>;

/// Ids of the calls in the last message, which the next one must answer in their order.
using Calls = std::vector<std::string>;

Broken brokenResults(const json& content, const Calls& calls)
{
    std::size_t at = 0;
    for (const json& block : content) {
        if (block["type"] != "tool_result") break;
        if (at == calls.size()) return "a result has no call";
        if (block["tool_use_id"] != calls[at++]) return "results stand in the order of the calls";
    }
    if (at != calls.size()) return "every call has its result, before all else";
    for (; at < content.size(); ++at) {
        if (content[at]["type"] == "tool_result") return "results come first";
    }
    return std::nullopt;
}

/// What Anthropic refuses in a conversation.
Broken brokenConversation(const json& messages)
{
    if (messages.empty()) return "there is a message";
    std::set<std::string> ids;
    std::string role;
    Calls calls;
    for (const json& message : messages) {
        if (message["role"] == role) return "turns alternate";
        role = message["role"].get<std::string>();
        const json& content = message["content"];
        if (!content.is_array() || content.empty()) return "no message is empty";
        if (const Broken results = brokenResults(content, calls)) return results;
        calls.clear();
        for (const json& block : content) {
            if (block["type"] == "text" && block["text"] == "") return "no text is empty";
            if (block["type"] != "tool_use") continue;
            if (role != "assistant") return "the assistant calls tools";
            if (!block["input"].is_object()) return "a call's input is an object";
            calls.push_back(block["id"].get<std::string>());
            if (!isToolName(block["name"].get<std::string>())) return "a name is well-formed";
            if (!ids.insert(calls.back()).second) return "a call's id stands once";
            const auto good = calls.back().find_first_not_of(
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
            if (good != std::string::npos) return "a call's id is well-formed";
        }
    }
    return calls.empty() ? Broken{} : "calls at the end have results";
}

Broken brokenBody(Protocol target, const std::string& body)
{
    const json document = parsedJson(body);
    if (!document.is_object()) return "a translation is JSON: " + body;
    const Padded padded(body);
    const auto facts = readRequest(conversationApi(target), padded.view());
    if (!facts) return "a translation can be read: " + facts.error().message;
    if (facts->model != "up") return "a translation names the route's model";
    return target == Protocol::Anthropic ? brokenConversation(document["messages"]) : Broken{};
}

Broken brokenRefusal(const ApiError& error)
{
    if (error.status != 400) return "a refusal is the client's";
    if (error.param.empty()) return "a refusal names its parameter";
    if (error.message.find(error.param) == std::string::npos) return "a refusal tells its place";
    return std::nullopt;
}

Broken brokenFor(
    Protocol client, const weir::protocol::json::Node& request, const TranslationTarget& target)
{
    const auto refusal = inexpressible(client, request, target);
    const auto body = translateRequest(client, request, target);
    if (refusal.has_value() == body.has_value()) return "the two verbs agree";
    if (refusal) {
        if (body.error().message != refusal->message) return "the two verbs say the same";
        return brokenRefusal(*refusal);
    }
    if (*translateRequest(client, request, target) != *body) return "equal requests, equal bodies";
    // Values too deep to be looked at pass as they came, broken ones too.
    if (!json::accept(readableJson(request.raw()))) return std::nullopt;
    return brokenBody(target.protocol, *body);
}

std::array<TranslationTarget, 2> targetsOf(Protocol protocol)
{
    TranslationTarget plain;
    plain.protocol = protocol;
    plain.upstreamModel = "up";
    plain.streamOptions = false;
    TranslationTarget able = plain;
    able.maxOutputTokens = 4096;
    able.cacheMarks = true;
    able.reasoning = true;
    able.streamOptions = true;
    able.maxTokensName = "max_completion_tokens";
    return {plain, able};
}

} // namespace

Broken broken(Protocol client, std::string_view request)
{
    const Padded padded(request);
    weir::protocol::json::Tree tree;
    if (!tree.readPadded(padded.view())) return std::nullopt;
    const bool isOpenAi = client == Protocol::OpenAi;
    for (const TranslationTarget& target :
         targetsOf(isOpenAi ? Protocol::Anthropic : Protocol::OpenAi)) {
        if (const Broken promise = brokenFor(client, tree.root(), target)) return promise;
    }
    return std::nullopt;
}

} // namespace weir::protocol::promises
