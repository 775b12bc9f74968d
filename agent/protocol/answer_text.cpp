// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/answer_text.h"

#include "agent/protocol/json_view.h"

#include <memory>

namespace weir::protocol {
namespace {

using json::Node;

/// There is something in it: a member that is null or [] says nothing.
bool says(const Node& value)
{
    return value.isGiven() && !((value.isArray() || value.isObject()) && value.isEmpty());
}

bool isReasoning(const Node& block)
{
    const Node type = block["type"];
    return type.is("thinking") || type.is("redacted_thinking") || type.is("thinking_delta") ||
           type.is("signature_delta");
}

} // namespace

AnswerText::AnswerText(Api api, std::size_t bytesMax)
    : m_api(api)
    , m_bytesMax(bytesMax)
    , m_framer(bytesMax)
    , m_isMixed(api != Api::ChatCompletions && api != Api::Messages)
{
}

void AnswerText::feed(std::string_view bytes)
{
    if (m_isMixed || m_isTooLong) return;
    m_framer.feed(bytes);
    SseEvent event;
    while (m_framer.next(event)) {
        if (event.commentOnly || !event.data.starts_with('{')) continue;
        std::unique_ptr<char[]> own;
        if (!m_tree.readPadded(json::paddedCopy(event.data, own))) continue;
        if (m_api == Api::ChatCompletions) {
            readChunk(m_tree.root());
        } else {
            readEvent(m_tree.root());
        }
    }
    if (m_framer.overflowed()) m_isTooLong = true;
}

void AnswerText::readChunk(const Node& chunk)
{
    for (const Node choice : chunk["choices"]) {
        if (choice["index"].integer().value_or(0) != 0) m_isMixed = true;
        readMessage(choice["delta"]);
    }
}

void AnswerText::readEvent(const Node& event)
{
    if (event["type"].is("content_block_start")) readBlock(event["content_block"]);
    if (event["type"].is("content_block_delta")) readBlock(event["delta"]);
}

void AnswerText::readDocument(std::string_view body)
{
    if (m_isMixed || !m_tree.readPadded(body)) {
        m_isMixed = true;
        return;
    }
    const Node root = m_tree.root();
    for (const Node choice : root["choices"]) {
        if (choice["index"].integer().value_or(0) != 0) m_isMixed = true;
        readMessage(choice["message"]);
    }
    for (const Node block : root["content"])
        readBlock(block);
}

/// A message of Chat Completions, or what a chunk adds to one.
void AnswerText::readMessage(const Node& message)
{
    if (says(message["tool_calls"]) || says(message["function_call"])) m_isMixed = true;
    const Node content = message["content"];
    append(content);
    for (const Node part : content)
        append(part["text"]);
    const Node refusal = message["refusal"];
    append(refusal);
    if (!refusal.string().bytes.empty()) m_isRefusal = true;
}

/// A block of Messages, or what a delta adds to one.
void AnswerText::readBlock(const Node& block)
{
    const bool isText = block["type"].is("text") || block["type"].is("text_delta");
    if (isText) {
        append(block["text"]);
    } else if (!isReasoning(block) && !block["type"].is("citations_delta")) {
        m_isMixed = true;
    }
}

void AnswerText::append(const Node& text)
{
    const std::string_view bytes = text.string().bytes;
    if (m_text.size() + bytes.size() > m_bytesMax) m_isTooLong = true;
    if (!m_isTooLong) m_text += bytes;
}

std::optional<std::string> AnswerText::text() const
{
    if (m_isMixed || m_isTooLong) return std::nullopt;
    return json::Raw{m_text}.text();
}

} // namespace weir::protocol
