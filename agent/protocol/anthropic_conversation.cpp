// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/anthropic_conversation.h"

#include "agent/protocol/json_check.h"

#include <algorithm>

namespace weir::protocol {
namespace {

using json::Node;

constexpr Place kRoot;
constexpr Place kMessages = kRoot.member("messages");

constexpr std::string_view kSystem = "system";
constexpr std::string_view kUser = "user";
constexpr std::string_view kAssistant = "assistant";

bool isSystem(const Node& message)
{
    return message["role"].is("system") || message["role"].is("developer");
}

bool isBlankText(const Node& part)
{
    return part["type"].is("text") && part["text"].isString() && isBlank(part["text"].string());
}

} // namespace

bool AnthropicConversation::write(const Node& messages)
{
    if (!messages.isArray()) return m_to.refusal.invalid(kMessages, "an array");
    if (!writeSystem(messages)) return false;
    m_to.out.key("messages");
    m_to.out.beginArray();
    std::size_t index = 0;
    for (const Node message : messages) {
        const Numbered numbered{message, index++};
        if (numbered.index >= m_leading && !take(numbered)) return false;
    }
    if (!writeUserSide()) return false;
    if (m_role.empty()) {
        return m_to.refusal.invalid(kMessages, "a message of the user or the assistant");
    }
    closeTurn();
    m_to.out.endArray();
    return true;
}

/// The system messages before all others, each text one block (wire case B090).
bool AnthropicConversation::writeSystem(const Node& messages)
{
    for (const Node message : messages) {
        if (!isSystem(message)) break;
        if (!writeSystemTexts({message, m_leading++}, false)) return false;
    }
    closeTurn();
    return true;
}

bool AnthropicConversation::take(const Numbered& message)
{
    const Place place = kMessages.element(message.index);
    const Node role = message.node["role"];
    if (role.is("tool")) return takeResult(message);
    if (role.is("assistant")) return writeUserSide() && writeAssistant(message);
    if (!role.is("user") && !isSystem(message.node)) {
        return m_to.refusal.unsupported(place.member("role"), "the role " + quotedForMessage(role));
    }
    m_waiting.push_back(message);
    return true;
}

bool AnthropicConversation::takeResult(const Numbered& message)
{
    const auto id = message.node["tool_call_id"].text();
    if (id && m_calls.answer(*id, message)) return true;
    const Place place = kMessages.element(message.index);
    return m_to.refusal.invalid(
        place.member("tool_call_id"),
        "the id of a call in the assistant's message before, answered once");
}

bool AnthropicConversation::writeAssistant(const Numbered& message)
{
    const Place place = kMessages.element(message.index);
    // Reasoning that nobody signed informs people; servers of either protocol leave it out of the
    // prompt. `annotations` is an echo of the answer.
    if (!m_to.refusal.onlyKnown(
            message.node,
            place,
            {"role",
             "content",
             "refusal",
             "tool_calls",
             "reasoning_content",
             "reasoning",
             "reasoning_details",
             "annotations"})) {
        return false;
    }
    ReasoningSlots slots(m_to);
    const Place details = place.member("reasoning_details");
    if (!slots.read(message.node["reasoning_details"], details)) return false;
    if (!slots.isEmpty()) openTurn(kAssistant);
    if (!writeAssistantParts(message.node["content"], place.member("content"), slots)) return false;
    if (const Node refusal = message.node["refusal"]; !refusal.string().bytes.empty()) {
        openTurn(kAssistant);
        slots.beforeBlock();
        m_blocks.text(refusal.string(), {});
    }
    const Node calls = message.node["tool_calls"];
    if (calls.isGiven() && !calls.isArray()) {
        return m_to.refusal.invalid(place.member("tool_calls"), "an array");
    }
    std::size_t index = 0;
    for (const Node call : calls) {
        openTurn(kAssistant);
        slots.beforeBlock();
        if (!writeCall(message, {call, index++})) return false;
    }
    return slots.atEnd(details);
}

bool AnthropicConversation::writeAssistantParts(
    const Node& content, const Place& place, ReasoningSlots& slots)
{
    const auto write = [&](json::Raw text, const Node& mark) {
        if (text.bytes.empty()) return;
        if (!isBlank(text)) openTurn(kAssistant);
        slots.beforeBlock();
        m_blocks.text(text, mark);
    };
    if (!content.isGiven()) return true;
    if (content.isString()) {
        write(content.string(), {});
        return true;
    }
    if (!content.isArray()) return m_to.refusal.invalid(place, "a string or an array");
    std::size_t index = 0;
    for (const Node part : content) {
        const Place at = place.element(index++);
        if (part["type"].is("refusal")) {
            if (!m_to.refusal.onlyKnown(part, at, {"type", "refusal"})) return false;
            write(part["refusal"].string(), {});
            continue;
        }
        if (!m_blocks.isText(part, at)) return false;
        write(part["text"].string(), part["cache_control"]);
    }
    return true;
}

bool AnthropicConversation::writeCall(const Numbered& message, const Numbered& call)
{
    const Place outer = kMessages.element(message.index);
    const Place calls = outer.member("tool_calls");
    const Place place = calls.element(call.index);
    const Node type = call.node["type"];
    if (type.isGiven() && !type.is("function")) {
        return m_to.refusal.unsupported(
            place.member("type"), "a call of type " + quotedForMessage(type));
    }
    // `index` is left over where a client puts a streamed answer together.
    if (!m_to.refusal.onlyKnown(call.node, place, {"id", "type", "function", "index"})) {
        return false;
    }
    const Node function = call.node["function"];
    const Place inner = place.member("function");
    if (!m_to.refusal.onlyKnown(function, inner, {"name", "arguments"})) return false;
    const auto id = call.node["id"].text();
    if (!id) return m_to.refusal.invalid(place.member("id"), "a string");
    if (!isToolName(function["name"].text().value_or(std::string{}))) {
        return m_to.refusal.unsupported(
            inner.member("name"), "the name " + quotedForMessage(function["name"]));
    }
    m_calls.add(*id, {m_ids.next(*id), message.index, call.index, {}});
    m_to.out.beginObject();
    m_to.out.key("type");
    m_to.out.text("tool_use");
    m_to.out.key("id");
    m_to.out.text(m_calls.all().back().id);
    writeGiven(m_to.out, "name", function["name"]);
    m_to.out.key("input");
    if (!writeInput(function["arguments"], inner.member("arguments"))) return false;
    m_to.out.endObject();
    return true;
}

/// A JSON text in a string becomes the object it says; servers that call a tool without arguments
/// write nothing, or "null" (wire case B073).
bool AnthropicConversation::writeInput(const Node& arguments, const Place& place)
{
    constexpr std::string_view kBlanks = " \t\r\n";
    if (arguments.isGiven() && !arguments.isString()) {
        return m_to.refusal.invalid(place, "a JSON object in a string");
    }
    const std::string text = arguments.isGiven() ? arguments.text().value_or("?") : std::string{};
    std::string_view object = text;
    object.remove_prefix(std::min(object.find_first_not_of(kBlanks), object.size()));
    object = object.substr(0, object.find_last_not_of(kBlanks) + 1);
    if (object.empty() || object == "null") object = "{}";
    if (!json::isObject(object)) {
        return m_to.refusal.invalid(place, "a JSON object in a string");
    }
    m_to.out.raw(object);
    return true;
}

bool AnthropicConversation::writeUserSide()
{
    for (const Call& call : m_calls.all()) {
        if (!writeResult(call)) return false;
    }
    m_calls.clear();
    for (const Numbered& message : m_waiting) {
        const bool written =
            isSystem(message.node) ? writeSystemTexts(message, true) : writeUser(message);
        if (!written) return false;
    }
    m_waiting.clear();
    return true;
}

bool AnthropicConversation::writeResult(const Call& call)
{
    if (!call.result.node.exists()) {
        const Place message = kMessages.element(call.message);
        const Place calls = message.member("tool_calls");
        const Place place = calls.element(call.index);
        return m_to.refusal.invalid(place.member("id"), "a tool's message behind that answers it");
    }
    const Node message = call.result.node;
    const Place place = kMessages.element(call.result.index);
    // The call says which tool it is.
    if (!m_to.refusal.onlyKnown(message, place, {"role", "tool_call_id", "content", "name"})) {
        return false;
    }
    openTurn(kUser);
    m_to.out.beginObject();
    m_to.out.key("type");
    m_to.out.text("tool_result");
    m_to.out.key("tool_use_id");
    m_to.out.text(call.id);
    if (!writeResultContent(message["content"], place.member("content"))) return false;
    m_to.out.endObject();
    return true;
}

bool AnthropicConversation::writeResultContent(const Node& content, const Place& place)
{
    if (content.isString()) {
        if (!isBlank(content.string())) writeGiven(m_to.out, "content", content);
        return true;
    }
    if (!content.isGiven()) return true;
    if (!content.isArray()) return m_to.refusal.invalid(place, "a string or an array");
    if (allOf(content, isBlankText)) return true;
    m_to.out.key("content");
    m_to.out.beginArray();
    std::size_t index = 0;
    for (const Node part : content) {
        const Place at = place.element(index++);
        if (part["type"].is("image_url")) {
            if (!m_blocks.image(part, at)) return false;
            continue;
        }
        if (!m_blocks.isText(part, at)) return false;
        m_blocks.text(part["text"].string(), part["cache_control"]);
    }
    m_to.out.endArray();
    return true;
}

bool AnthropicConversation::writeUser(const Numbered& message)
{
    const Place place = kMessages.element(message.index);
    if (!m_to.refusal.onlyKnown(message.node, place, {"role", "content"})) return false;
    const Node content = message.node["content"];
    const Place contents = place.member("content");
    if (content.isString()) {
        if (!isBlank(content.string())) openTurn(kUser);
        m_blocks.text(content.string(), {});
        return true;
    }
    if (!content.isArray()) return m_to.refusal.invalid(contents, "a string or an array");
    std::size_t index = 0;
    for (const Node part : content) {
        const Place at = contents.element(index++);
        if (part["type"].is("image_url") || part["type"].is("file")) {
            openTurn(kUser);
            const bool isImage = part["type"].is("image_url");
            if (!(isImage ? m_blocks.image(part, at) : m_blocks.file(part, at))) return false;
            continue;
        }
        if (!m_blocks.isText(part, at)) return false;
        if (!isBlank(part["text"].string())) openTurn(kUser);
        m_blocks.text(part["text"].string(), part["cache_control"]);
    }
    return true;
}

bool AnthropicConversation::writeSystemTexts(const Numbered& message, bool marked)
{
    const Place place = kMessages.element(message.index);
    if (!m_to.refusal.onlyKnown(message.node, place, {"role", "content"})) return false;
    const auto write = [&](json::Raw text, const Node& mark) {
        if (isBlank(text)) return;
        openTurn(marked ? kUser : kSystem);
        if (marked) {
            m_blocks.systemText(text, mark);
        } else {
            m_blocks.text(text, mark);
        }
    };
    const Node content = message.node["content"];
    const Place contents = place.member("content");
    if (content.isString()) {
        write(content.string(), {});
        return true;
    }
    if (!content.isArray()) return m_to.refusal.invalid(contents, "a string or an array");
    std::size_t index = 0;
    for (const Node part : content) {
        if (!m_blocks.isText(part, contents.element(index++))) return false;
        write(part["text"].string(), part["cache_control"]);
    }
    return true;
}

void AnthropicConversation::openTurn(std::string_view role)
{
    if (m_role == role) return;
    closeTurn();
    m_role = role;
    if (role == kSystem) {
        m_to.out.key(kSystem);
    } else {
        m_to.out.beginObject();
        m_to.out.key("role");
        m_to.out.text(role);
        m_to.out.key("content");
    }
    m_to.out.beginArray();
}

void AnthropicConversation::closeTurn()
{
    if (m_role.empty()) return;
    m_to.out.endArray();
    if (m_role != kSystem) m_to.out.endObject();
    m_role = {};
}

} // namespace weir::protocol
