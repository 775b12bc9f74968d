// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/chat_to_messages.h"

#include "agent/protocol/chat_message.h"
#include "agent/protocol/finish_words.h"
#include "agent/protocol/json_writer.h"
#include "agent/protocol/usage_json.h"

namespace weir::protocol {
namespace {

constexpr std::int64_t kChoice = 0;

} // namespace

void ChatToMessages::read(
    const json::Node& chunk, const UsageCounts& counts, UtcTime now, std::string& out)
{
    if (m_hasEnded) return;
    if (m_id.empty()) m_id = chunk["id"].string().bytes;
    if (m_model.empty()) m_model = chunk["model"].string().bytes;
    for (const json::Node choice : chunk["choices"]) {
        if (choice["index"].integer().value_or(kChoice) != kChoice) continue;
        // Not before: some servers send a chunk about the prompt first, which has no id yet.
        if (!m_hasStarted) start(disjoint(Protocol::OpenAi, counts), now, out);
        readChoice(choice, out);
    }
}

bool ChatToMessages::addText(const StreamEvent& chunk, std::string& out)
{
    constexpr std::uint64_t kFirstChoice = 1;
    const bool isFirst = chunk.seenChoices == kFirstChoice && chunk.finishReason.empty();
    if (!m_hasStarted || m_hasEnded || !isFirst) return false;
    const OutputSeen& output = chunk.output;
    if (output.kind == OutputSeen::Kind::Text) m_blocks.addText(output.text, out);
    if (output.kind == OutputSeen::Kind::Thinking) m_blocks.addThinking(output.text, out);
    if (output.kind == OutputSeen::Kind::Arguments) {
        m_blocks.addCall({output.index, {}, {}, output.text}, out);
    }
    return true;
}

void ChatToMessages::end(const TokenUsage& usage, UtcTime now, std::string& out)
{
    if (m_hasEnded) return;
    if (!m_hasStarted) start({}, now, out);
    closeBlocks(out);
    if (hasBrokenCall()) return;
    Ending ending = endingOf(m_finishReason);
    if (ending == Ending::Stop && !m_stopSequence.empty()) ending = Ending::StopSequence;
    const auto word = finishWord(Protocol::Anthropic, ending, m_blocks.hasToolCalls());
    out += R"(event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":")";
    out += word;
    out += R"(","stop_sequence":)";
    json::Writer writer{out};
    if (ending == Ending::StopSequence && !m_blocks.hasToolCalls()) {
        writer.string({m_stopSequence});
    } else {
        writer.null();
    }
    out += R"(},"usage":)";
    json::Writer counts{out};
    writeUsage(Protocol::Anthropic, usage, counts);
    out += "}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    m_hasEnded = true;
}

void ChatToMessages::start(const TokenUsage& known, UtcTime now, std::string& out)
{
    m_hasStarted = true;
    if (m_id.empty()) m_id = "msg_" + std::to_string(epochMs(now));
    m_blocks.nameMessage(m_id);
    out += R"(event: message_start
data: {"type":"message_start","message":{"id":")";
    out += m_id;
    out += R"(","type":"message","role":"assistant","model":")";
    out += m_model;
    out += R"(","content":[],"stop_reason":null,"stop_sequence":null,"usage":)";
    TokenUsage usage = known;
    // What was written so far is no count.
    usage.output = 0;
    json::Writer writer{out};
    writeUsage(Protocol::Anthropic, usage, writer);
    out += "}}\n\n";
}

void ChatToMessages::readChoice(const json::Node& choice, std::string& out)
{
    readDelta(choice["delta"], out);
    const json::Raw finish = choice["finish_reason"].string();
    if (finish.bytes.empty()) return;
    m_finishReason = finish.bytes;
    m_stopSequence = stopSequenceOf(choice).bytes;
    closeBlocks(out);
}

void ChatToMessages::closeBlocks(std::string& out)
{
    m_blocks.closeAll(endingOf(m_finishReason) == Ending::Length, out);
}

void ChatToMessages::readDelta(const json::Node& delta, std::string& out)
{
    if (delta.isEmpty()) return;
    m_blocks.addThinking(reasoningOf(delta).string(), out);
    eachText(delta["content"], [this, &out](TextKind kind, json::Raw text) {
        if (kind == TextKind::Text) {
            m_blocks.addText(text, out);
        } else {
            m_blocks.addThinking(text, out);
        }
    });
    m_blocks.addText(delta["refusal"].string(), out);
    std::string escaped;
    for (const json::Node call : delta["tool_calls"])
        m_blocks.addCall(readCall(call, escaped), out);
}

} // namespace weir::protocol
