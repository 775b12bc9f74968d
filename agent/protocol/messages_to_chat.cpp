// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/messages_to_chat.h"

#include "agent/protocol/content_blocks.h"
#include "agent/protocol/finish_words.h"
#include "agent/protocol/json_writer.h"
#include "agent/protocol/usage_json.h"

#include <algorithm>

namespace weir::protocol {
namespace {

constexpr std::string_view kDeltaStart = R"({"index":0,"delta":{)";
constexpr std::string_view kDeltaEnd = "},\"finish_reason\":null}]}\n\n";

/// Of a block that no event names.
constexpr std::int64_t kNoIndex = -1;

} // namespace

void MessagesToChat::read(const json::Node& event, UtcTime now, std::string& out)
{
    if (m_hasEnded) return;
    const json::Node type = event["type"];
    if (type.is("content_block_delta")) {
        readDelta(event, now, out);
    } else if (type.is("content_block_start")) {
        start({}, {}, now, out);
        startBlock(event["content_block"], event["index"].integer().value_or(0), out);
    } else if (type.is("content_block_stop")) {
        stopBlock(event["index"].integer(), out);
    } else if (type.is("message_start")) {
        const json::Node message = event["message"];
        start(message["id"].string().bytes, message["model"].string().bytes, now, out);
        // Content there is unusual; those who put the message together keep it.
        for (const json::Node content : message["content"]) {
            startBlock(content, kNoIndex, out);
            stopBlock(kNoIndex, out);
        }
    } else if (type.is("message_delta")) {
        const json::Raw reason = event["delta"]["stop_reason"].string();
        if (reason.bytes.empty()) return;
        m_stopReason = reason.bytes;
        checkCalls();
    }
}

/// Only at the end it is known whether a call may be cut.
void MessagesToChat::checkCalls()
{
    const bool isCut =
        m_hasCutCall || std::any_of(m_blocks.begin(), m_blocks.end(), [](const Block& block) {
            return !block.end.isWhole();
        });
    m_hasBrokenCall = isCut && endingOf(m_stopReason) != Ending::Length;
}

bool MessagesToChat::addText(const StreamEvent& event, std::string& out)
{
    if (m_head.empty() || m_hasEnded || !event.type.is("content_block_delta")) return false;
    const OutputSeen& output = event.output;
    const std::string_view text = output.text.bytes;
    if (output.kind == OutputSeen::Kind::Text && event.blockType.is("text_delta")) {
        writeContent(text, out);
    } else if (output.kind == OutputSeen::Kind::Thinking && event.blockType.is("thinking_delta")) {
        writeThinking(text, out);
    } else if (
        output.kind == OutputSeen::Kind::Arguments && event.blockType.is("input_json_delta")) {
        addInput(blockOf(output.index), text, out);
    } else {
        return false;
    }
    return true;
}

void MessagesToChat::end(const TokenUsage& usage, UtcTime now, std::string& out)
{
    if (m_hasEnded) return;
    checkCalls();
    if (m_hasBrokenCall) return;
    start({}, {}, now, out);
    out += m_head;
    out += R"({"index":0,"delta":{},"finish_reason":")";
    out += finishWord(Protocol::OpenAi, endingOf(m_stopReason), m_calls > 0);
    out += "\"}]}\n\n";
    if (m_wantsUsage && isWholeUsage(usage)) {
        out += m_head;
        out += R"(],"usage":)";
        json::Writer writer{out};
        writeUsage(Protocol::OpenAi, usage, writer);
        out += "}\n\n";
    }
    out += "data: [DONE]\n\n";
    m_hasEnded = true;
}

/// Once only; later calls find it started.
void MessagesToChat::start(
    std::string_view id, std::string_view model, UtcTime now, std::string& out)
{
    if (!m_head.empty()) return;
    const auto created = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
    m_id = id.empty() ? "chatcmpl-" + std::to_string(epochMs(now)) : std::string{id};
    m_head = R"(data: {"id":")";
    m_head += m_id;
    m_head += R"(","object":"chat.completion.chunk","created":)";
    m_head += std::to_string(created);
    m_head += R"(,"model":")";
    m_head += model;
    m_head += R"(","choices":[)";
    writeChunk(R"("role":"assistant","content":"")", out);
}

void MessagesToChat::startBlock(const json::Node& content, std::int64_t index, std::string& out)
{
    Block block;
    block.index = index;
    const json::Node type = content["type"];
    if (type.is("text")) {
        block.kind = Kind::Text;
        writeContent(content["text"].string().bytes, out);
    } else if (type.is("thinking")) {
        block.kind = Kind::Thinking;
        m_thinking = content["thinking"].string().bytes;
        m_signature = content["signature"].string().bytes;
        writeText("reasoning_content", m_thinking, out);
    } else if (type.is("tool_use")) {
        block.kind = Kind::ToolUse;
        startCall(content, block, out);
    } else if (type.is("redacted_thinking")) {
        out += m_head;
        out += kDeltaStart;
        json::Writer writer{out};
        writer.key("reasoning_details");
        writer.beginArray();
        writeRedactedDetail(content["data"].string(), m_places.next(), writer);
        writer.endArray();
        out += kDeltaEnd;
    }
    m_blocks.push_back(std::move(block));
}

void MessagesToChat::readDelta(const json::Node& event, UtcTime now, std::string& out)
{
    start({}, {}, now, out);
    const json::Node delta = event["delta"];
    const json::Node type = delta["type"];
    if (type.is("text_delta")) {
        writeContent(delta["text"].string().bytes, out);
    } else if (type.is("thinking_delta")) {
        writeThinking(delta["thinking"].string().bytes, out);
    } else if (type.is("signature_delta")) {
        m_signature += delta["signature"].string().bytes;
    } else if (type.is("input_json_delta")) {
        addInput(blockOf(event["index"].integer()), delta["partial_json"].string().bytes, out);
    }
}

void MessagesToChat::stopBlock(std::optional<std::int64_t> index, std::string& out)
{
    const Block* const block = blockOf(index);
    if (block == nullptr) return;
    m_hasCutCall = m_hasCutCall || !block->end.isWhole();
    if (block->kind == Kind::ToolUse && !block->hasInput) {
        writeInput(block->call, block->input, out);
    }
    if (block->kind == Kind::Thinking) {
        // With the whole text, so that a client that joins the elements of one index has the block
        // as well as a client that joins nothing.
        if (!m_signature.empty()) {
            out += m_head;
            out += kDeltaStart;
            json::Writer writer{out};
            writer.key("reasoning_details");
            writer.beginArray();
            writeThinkingDetail({m_thinking}, {m_signature}, m_places.next(), writer);
            writer.endArray();
            out += kDeltaEnd;
        }
        m_thinking.clear();
        m_signature.clear();
    }
    m_blocks.erase(m_blocks.begin() + (block - m_blocks.data()));
}

void MessagesToChat::startCall(const json::Node& content, Block& block, std::string& out)
{
    block.call = m_calls++;
    static_cast<void>(m_places.next());
    // What no delta will bring: the start's own input, which is `{}` as a rule (wire case B073).
    const json::Node input = content["input"];
    block.input = "{}";
    if (input.isObject() && !input.isEmpty()) {
        block.input.clear();
        json::appendEscaped(block.input, input.raw());
    }
    out += m_head;
    out += R"({"index":0,"delta":{"tool_calls":[{"index":)";
    out += std::to_string(block.call);
    out += R"(,"id":")";
    const std::string_view id = content["id"].string().bytes;
    out += id.empty() ? madeCallId(block.call, m_id) : std::string{id};
    out += R"(","type":"function","function":{"name":")";
    out += content["name"].string().bytes;
    out += R"(","arguments":""}}])";
    out += kDeltaEnd;
}

void MessagesToChat::addInput(Block* block, std::string_view piece, std::string& out)
{
    if (block == nullptr || block->kind != Kind::ToolUse || piece.empty()) return;
    // No input, in the words of some servers: that is `{}`, which the block's end brings.
    if (!block->end.hasBegun() && json::Raw{piece}.is("null")) return;
    block->hasInput = true;
    block->end.feed(piece);
    writeInput(block->call, piece, out);
}

void MessagesToChat::writeInput(std::int64_t call, std::string_view piece, std::string& out) const
{
    out += m_head;
    out += R"({"index":0,"delta":{"tool_calls":[{"index":)";
    out += std::to_string(call);
    out += R"(,"function":{"arguments":")";
    out += piece;
    out += R"("}}])";
    out += kDeltaEnd;
}

void MessagesToChat::writeContent(std::string_view text, std::string& out)
{
    if (text.empty()) return;
    m_places.text();
    writeText("content", text, out);
}

void MessagesToChat::writeThinking(std::string_view text, std::string& out)
{
    m_thinking += text;
    writeText("reasoning_content", text, out);
}

void MessagesToChat::writeText(
    std::string_view member, std::string_view text, std::string& out) const
{
    if (text.empty()) return;
    out += m_head;
    out += kDeltaStart;
    out += '"';
    out += member;
    out += "\":\"";
    out += text;
    out += '"';
    out += kDeltaEnd;
}

void MessagesToChat::writeChunk(std::string_view delta, std::string& out) const
{
    out += m_head;
    out += kDeltaStart;
    out += delta;
    out += kDeltaEnd;
}

/// The block that a delta or a stop names, the latest where it names none.
MessagesToChat::Block* MessagesToChat::blockOf(const std::optional<std::int64_t>& index)
{
    const auto isMeant = [&index](const Block& block) { return !index || block.index == *index; };
    const auto found = std::find_if(m_blocks.rbegin(), m_blocks.rend(), isMeant);
    return found == m_blocks.rend() ? nullptr : &*found;
}

} // namespace weir::protocol
