// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/content_blocks.h"

#include "agent/protocol/own_marks.h"

#include <algorithm>

namespace weir::protocol {
namespace {

constexpr std::string_view kDeltaStart =
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":";

void writeDelta(
    std::int64_t index,
    std::string_view type,
    std::string_view member,
    std::string_view text,
    std::string& out)
{
    out += kDeltaStart;
    out += std::to_string(index);
    out += ",\"delta\":{\"type\":\"";
    out += type;
    out += "\",\"";
    out += member;
    out += "\":\"";
    out += text;
    out += "\"}}\n\n";
}

/// Whether a piece under a call's index goes on with that call. A new call says its name (wire case
/// B070); a piece without one goes on even under another id, because some servers make up an id for
/// every piece.
bool goesOn(const CallPiece& piece, std::string_view id, std::string_view name, bool hasArguments)
{
    if (piece.name.bytes.empty() || name.empty()) return true;
    if (!piece.id.bytes.empty() && !id.empty()) return piece.id.bytes == id;
    return !hasArguments;
}

} // namespace

std::string madeCallId(std::int64_t number, std::string_view messageId)
{
    return "call_" + std::to_string(number) + "_" + std::string{messageId};
}

void ContentBlocks::add(Kind kind, json::Raw piece, std::string& out)
{
    if (piece.bytes.empty()) return;
    if (m_front == m_blocks.size() || m_blocks.back().kind != kind) {
        m_blocks.emplace_back().kind = kind;
    }
    put(m_blocks.back(), piece.bytes, out);
    advance(Until::Now, out);
}

void ContentBlocks::addCall(const CallPiece& piece, std::string& out)
{
    Block& call = callOf(piece);
    if (call.isDone) return;
    if (call.name.empty()) call.name = piece.name.bytes;
    if (call.id.empty()) call.id = piece.id.bytes;
    // Nothing at all, in the words of some servers: no input is `{}`.
    const bool isNothing = !call.end.hasBegun() && piece.arguments.is("null");
    if (!isNothing) call.end.feed(piece.arguments.bytes);
    if (call.end.hasBegun()) put(call, piece.arguments.bytes, out);
    advance(Until::Now, out);
}

ContentBlocks::Block& ContentBlocks::callOf(const CallPiece& piece)
{
    const auto isMeant = [&piece](const Block& block) {
        if (block.kind != Kind::ToolUse) return false;
        if (piece.index) return block.callIndex == piece.index;
        return piece.id.bytes.empty() || block.id == piece.id.bytes;
    };
    const auto last = std::find_if(m_blocks.rbegin(), m_blocks.rend(), isMeant);
    if (last != m_blocks.rend() && goesOn(piece, last->id, last->name, last->end.hasBegun())) {
        return *last;
    }
    Block& call = m_blocks.emplace_back();
    call.kind = Kind::ToolUse;
    call.callIndex = piece.index;
    call.number = m_calls++;
    return call;
}

void ContentBlocks::put(Block& block, std::string_view piece, std::string& out)
{
    if (piece.empty()) return;
    if (!block.isOpen) {
        block.held += piece;
        m_heldBytes += piece.size();
        return;
    }
    switch (block.kind) {
    case Kind::Text:
        return writeDelta(m_index, "text_delta", "text", piece, out);
    case Kind::Thinking:
        return writeDelta(m_index, "thinking_delta", "thinking", piece, out);
    case Kind::ToolUse:
        return writeDelta(m_index, "input_json_delta", "partial_json", piece, out);
    }
}

void ContentBlocks::advance(Until until, std::string& out)
{
    const bool isEnd = until != Until::Now;
    while (!m_hasBrokenCall && m_front < m_blocks.size()) {
        Block& block = m_blocks[m_front];
        const bool isCall = block.kind == Kind::ToolUse;
        if (!block.isOpen) {
            // The name may still come, and the id until the arguments do.
            const bool isKnown = !block.name.empty() && (!block.id.empty() || block.end.hasBegun());
            if (isCall && !isKnown && !isEnd) return;
            open(block, out);
        }
        const bool isLast = m_front + 1 == m_blocks.size();
        const bool mayClose = isEnd || (!isLast && (!isCall || block.end.isComplete()));
        if (!mayClose) return;
        m_hasBrokenCall = isCall && !block.end.isWhole() && until != Until::Cut;
        if (!m_hasBrokenCall) close(block, out);
    }
}

void ContentBlocks::open(Block& block, std::string& out)
{
    out += "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":";
    out += std::to_string(m_index);
    out += ",\"content_block\":";
    switch (block.kind) {
    case Kind::Text:
        out += R"({"type":"text","text":""})";
        break;
    case Kind::Thinking:
        out += R"({"type":"thinking","thinking":"","signature":""})";
        break;
    case Kind::ToolUse:
        out += R"({"type":"tool_use","id":")";
        if (block.id.empty()) block.id = madeCallId(block.number, m_messageId);
        out += block.id;
        out += R"(","name":")";
        out += block.name;
        out += R"(","input":{}})";
        break;
    }
    out += "}\n\n";
    block.isOpen = true;
    m_heldBytes -= block.held.size();
    put(block, block.held, out);
    std::string{}.swap(block.held);
}

void ContentBlocks::close(Block& block, std::string& out)
{
    if (block.kind == Kind::Thinking) {
        writeDelta(m_index, "signature_delta", "signature", kOwnSignature, out);
    }
    out += "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":";
    out += std::to_string(m_index);
    out += "}\n\n";
    ++m_index;
    block.isDone = true;
    if (block.kind == Kind::ToolUse) {
        ++m_front;
    } else {
        m_blocks.erase(m_blocks.begin() + static_cast<std::ptrdiff_t>(m_front));
    }
}

} // namespace weir::protocol
