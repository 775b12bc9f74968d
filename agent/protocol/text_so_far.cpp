// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/text_so_far.h"

#include "agent/protocol/json_view.h"
#include "agent/protocol/sse.h"
#include "agent/protocol/stream_event.h"

namespace weir::protocol {
namespace {

using json::Node;

/// There is something in it: a member that is null, "" or [] says nothing.
bool says(const Node& value)
{
    if (value.isString()) return !value.string().bytes.empty();
    return value.isGiven() && !((value.isArray() || value.isObject()) && value.isEmpty());
}

bool hasOutput(Api api, std::string_view data)
{
    std::unique_ptr<char[]> own;
    StreamEvent event;
    if (!readStreamEvent(api, json::paddedCopy(data, own), event)) return false;
    return event.output.any && !event.type.is("content_block_start");
}

} // namespace

void TextSoFar::read(std::string_view padded)
{
    if (m_isMixed || !m_tree.readPadded(padded)) return;
    if (m_api == Api::ChatCompletions) return readChunk(m_tree.root());
    if (m_api == Api::Messages) return readMessagesEvent(m_tree.root());
    m_isMixed = true;
}

void TextSoFar::readChunk(const Node& chunk)
{
    for (const Node choice : chunk["choices"]) {
        if (choice["index"].integer().value_or(0) != 0) m_isMixed = true;
        for (const Node member : choice["delta"]) {
            if (member.key().is("role")) continue;
            if (member.key().is("content") && member.isString()) {
                m_text += member.string().bytes;
            } else if (says(member)) {
                m_isMixed = true;
            }
        }
    }
}

void TextSoFar::readMessagesEvent(const Node& event)
{
    // Nothing can follow in a block that is closed.
    if (event["type"].is("content_block_stop")) m_isMixed = true;
    if (says(event["message"]["content"])) m_isMixed = true;
    const bool isStart = event["type"].is("content_block_start");
    const bool isDelta = event["type"].is("content_block_delta");
    if (!isStart && !isDelta) return;
    const Node part = event[isStart ? "content_block" : "delta"];
    const bool isText = part["type"].is(isStart ? "text" : "text_delta");
    if (!isText || event["index"].integer().value_or(0) != 0) {
        m_isMixed = true;
    } else {
        m_text += part["text"].string().bytes;
    }
}

std::size_t outputStart(Api api, std::string_view events)
{
    SseFramer framer(events.size() + 1);
    framer.feed(events);
    SseEvent event;
    std::size_t at = 0;
    while (framer.next(event)) {
        if (hasOutput(api, event.data)) return at;
        at += event.raw.size();
    }
    return events.size();
}

} // namespace weir::protocol
