// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/openai_conversation.h"

#include "agent/protocol/anthropic_blocks.h"
#include "agent/protocol/own_marks.h"

namespace weir::protocol {

using json::Node;

bool OpenAiConversation::write(const Node& system, const Node& messages)
{
    constexpr Place kRoot;
    m_to.out.key("messages");
    m_to.out.beginArray();
    if (system.isGiven() && !writeSystem(system, kRoot.member("system"))) return false;
    const Place place = kRoot.member("messages");
    if (!messages.isArray()) return m_to.refusal.invalid(place, "an array");
    std::size_t index = 0;
    for (const Node message : messages) {
        if (!writeMessage(message, place.element(index++))) return false;
    }
    if (!m_hasTurn) return m_to.refusal.invalid(place, "a message of the user or the assistant");
    m_to.out.endArray();
    return true;
}

bool OpenAiConversation::writeMessage(const Node& message, const Place& place)
{
    if (!m_to.refusal.onlyKnown(message, place, {"role", "content"})) return false;
    const Node role = message["role"];
    const Node content = message["content"];
    const Place contents = place.member("content");
    if (!content.isString() && !content.isArray()) {
        return m_to.refusal.invalid(contents, "a string or an array");
    }
    if (role.is("user")) return writeUser(content, contents);
    if (role.is("assistant")) return writeAssistant(content, contents);
    if (role.is("system")) return writeSystem(content, contents);
    return m_to.refusal.unsupported(place.member("role"), "the role " + quotedForMessage(role));
}

/// Each text stays apart (wire case B090).
bool OpenAiConversation::writeSystem(const Node& content, const Place& place)
{
    if (content.isString()) {
        if (!content.string().bytes.empty()) writeString("system", content);
        return true;
    }
    if (!content.isArray()) return m_to.refusal.invalid(place, "a string or an array");
    m_texts.clear();
    std::size_t index = 0;
    for (const Node block : content) {
        const Place at = place.element(index++);
        if (!block["type"].is("text")) {
            return m_to.refusal.unsupported(
                at.member("type"), "a block of type " + quotedForMessage(block["type"]) + " here");
        }
        if (!m_parts.check(block, at)) return false;
        if (!isEmptyText(block)) m_texts.push_back({block, index - 1, {}});
    }
    if (m_texts.empty()) return true;
    beginMessage("system");
    m_to.out.key("content");
    m_parts.content(m_texts);
    m_to.out.endObject();
    return true;
}

bool OpenAiConversation::writeUser(const Node& content, const Place& place)
{
    if (content.isString()) {
        writeString("user", content);
        return true;
    }
    m_texts.clear();
    std::size_t index = 0;
    for (const Node block : content) {
        const Place at = place.element(index++);
        if (!block["type"].is("tool_result")) continue;
        if (!writeResult(block, at)) return false;
    }
    index = 0;
    for (const Node block : content) {
        const Place at = place.element(index++);
        if (block["type"].is("tool_result")) continue;
        if (!m_parts.check(block, at)) return false;
        if (!isEmptyText(block)) m_texts.push_back({block, index - 1, {}});
    }
    if (m_texts.empty()) return true;
    beginMessage("user");
    m_to.out.key("content");
    m_parts.content(m_texts);
    m_to.out.endObject();
    return true;
}

/// A `tool` message; the images go on the pile for the user's message.
bool OpenAiConversation::writeResult(const Node& block, const Place& place)
{
    if (!m_to.refusal.onlyKnown(
            block, place, {"type", "tool_use_id", "content", "is_error", "cache_control"})) {
        return false;
    }
    const Node id = block["tool_use_id"];
    if (!id.isString()) return m_to.refusal.invalid(place.member("tool_use_id"), "a string");
    const Node content = block["content"];
    const Place contents = place.member("content");
    if (content.isGiven() && !content.isString() && !content.isArray()) {
        return m_to.refusal.invalid(contents, "a string or an array");
    }
    const std::string_view prefix = block["is_error"].isTrue() ? "Error: " : "";
    beginMessage("tool");
    writeGiven(m_to.out, "tool_call_id", id);
    m_to.out.key("content");
    if (content.isString()) {
        m_to.out.beginString();
        m_to.out.textPart(prefix);
        m_to.out.stringPart(content.string());
        m_to.out.endString();
    } else {
        std::vector<Block> texts;
        std::size_t index = 0;
        for (const Node part : content) {
            if (!m_parts.check(part, contents.element(index++))) return false;
            if (isEmptyText(part)) continue;
            (part["type"].is("text") ? texts : m_texts).push_back({part, index - 1, {}});
        }
        m_parts.content(texts, prefix);
    }
    writeGiven(m_to.out, "cache_control", m_parts.markOf(block));
    m_to.out.endObject();
    return true;
}

bool OpenAiConversation::writeAssistant(const Node& content, const Place& place)
{
    if (content.isString()) {
        writeString("assistant", content);
        return true;
    }
    m_texts.clear();
    m_thoughts.clear();
    m_calls.clear();
    std::size_t index = 0;
    for (const Node block : content) {
        if (!takeAnswerBlock(block, place.element(index++))) return false;
    }
    beginMessage("assistant");
    m_to.out.key("content");
    if (m_texts.empty() && !m_calls.empty()) {
        m_to.out.null();
    } else {
        m_parts.content(m_texts);
    }
    writeReasoning();
    writeCalls();
    m_to.out.endObject();
    return true;
}

bool OpenAiConversation::takeAnswerBlock(const Node& block, const Place& place)
{
    const Node type = block["type"];
    if (type.is("thinking")) {
        m_thoughts.push_back(block);
        return checkThinking(block, place);
    }
    if (type.is("tool_use")) {
        m_calls.push_back(block);
        return checkCall(block, place);
    }
    if (!type.is("text")) {
        return m_to.refusal.unsupported(
            place.member("type"), "a block of type " + quotedForMessage(type) + " here");
    }
    if (!m_parts.check(block, place)) return false;
    // OpenAI's message has its text before the calls. What stood behind one is said there too: a
    // client that streams has it so from Weir itself, and its conversation must go on.
    const bool isLeftOver = !m_calls.empty() && isBlank(block["text"].string());
    if (!isEmptyText(block) && !isLeftOver) m_texts.push_back({block, 0, {}});
    return true;
}

/// Only the issuer can continue what it signed (wire cases B078, B079).
bool OpenAiConversation::checkThinking(const Node& block, const Place& place)
{
    if (!m_to.refusal.onlyKnown(block, place, {"type", "thinking", "signature"})) return false;
    const Node signature = block["signature"];
    if (signature.isGiven() && !signature.is("") && !signature.is(kOwnSignature)) {
        return m_to.refusal.unsupported(
            place.member("signature"), "reasoning that its provider has signed");
    }
    return block["thinking"].isString() ||
           m_to.refusal.invalid(place.member("thinking"), "a string");
}

bool OpenAiConversation::checkCall(const Node& block, const Place& place)
{
    if (!m_to.refusal.onlyKnown(block, place, {"type", "id", "name", "input", "cache_control"})) {
        return false;
    }
    if (!block["id"].isString()) return m_to.refusal.invalid(place.member("id"), "a string");
    if (!block["name"].isString()) return m_to.refusal.invalid(place.member("name"), "a string");
    const Node input = block["input"];
    return !input.isGiven() || input.isObject() ||
           m_to.refusal.invalid(place.member("input"), "an object");
}

/// A server that knows no reasoning may refuse the member, and to the others it only shows what was
/// thought: so it goes back where the route takes it.
void OpenAiConversation::writeReasoning()
{
    if (m_thoughts.empty() || !m_to.target.reasoning) return;
    m_to.out.key("reasoning_content");
    m_to.out.beginString();
    for (const Node& thought : m_thoughts)
        m_to.out.stringPart(thought["thinking"].string());
    m_to.out.endString();
}

void OpenAiConversation::writeCalls()
{
    if (m_calls.empty()) return;
    m_to.out.key("tool_calls");
    m_to.out.beginArray();
    for (const Node& call : m_calls) {
        m_to.out.beginObject();
        writeGiven(m_to.out, "id", call["id"]);
        m_to.out.key("type");
        m_to.out.text("function");
        m_to.out.key("function");
        m_to.out.beginObject();
        writeGiven(m_to.out, "name", call["name"]);
        m_to.out.key("arguments");
        m_to.out.text(call["input"].isGiven() ? call["input"].raw() : "{}");
        m_to.out.endObject();
        m_to.out.endObject();
    }
    m_to.out.endArray();
}

void OpenAiConversation::writeString(std::string_view role, const Node& content)
{
    beginMessage(role);
    writeGiven(m_to.out, "content", content);
    m_to.out.endObject();
}

void OpenAiConversation::beginMessage(std::string_view role)
{
    m_hasTurn = m_hasTurn || role != "system";
    m_to.out.beginObject();
    m_to.out.key("role");
    m_to.out.text(role);
}

} // namespace weir::protocol
