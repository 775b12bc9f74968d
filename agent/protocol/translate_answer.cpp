// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/translate_answer.h"

#include "agent/protocol/answer.h"
#include "agent/protocol/chat_message.h"
#include "agent/protocol/content_blocks.h"
#include "agent/protocol/finish_words.h"
#include "agent/protocol/json_check.h"
#include "agent/protocol/json_tree.h"
#include "agent/protocol/json_view.h"
#include "agent/protocol/json_writer.h"
#include "agent/protocol/own_marks.h"
#include "agent/protocol/reasoning_details.h"
#include "agent/protocol/usage_json.h"

#include <cstdint>
#include <optional>

namespace weir::protocol {
namespace {

using json::Node;
using json::Raw;
using json::Writer;

tl::unexpected<Failure> malformed(std::string_view message)
{
    Failure failure;
    failure.outcome = Outcome::Malformed;
    failure.error.status = 502;
    failure.error.message = message;
    return tl::unexpected<Failure>(std::move(failure));
}

void writeMember(Writer& writer, std::string_view name, Raw text)
{
    writer.key(name);
    writer.string(text);
}

void writeId(Writer& writer, Raw id, std::string_view prefix, UtcTime now)
{
    writer.key("id");
    if (id.bytes.empty()) {
        writer.text(std::string{prefix} + std::to_string(epochMs(now)));
    } else {
        writer.string(id);
    }
}

/// Anthropic's content out of one of OpenAI's messages.
class ContentWriter final
{
public:
    ContentWriter(Writer& writer, Raw messageId)
        : m_writer(writer)
        , m_messageId(messageId)
    {
    }

    void writeText(Raw text)
    {
        if (text.bytes.empty()) return;
        begin("text");
        writeMember(m_writer, "text", text);
        m_writer.endObject();
    }

    void writeThinking(Raw text)
    {
        if (text.bytes.empty()) return;
        begin("thinking");
        writeMember(m_writer, "thinking", text);
        writeMember(m_writer, "signature", {kOwnSignature});
        m_writer.endObject();
    }

    /// False where the arguments are no object.
    [[nodiscard]] bool writeCall(const Node& call)
    {
        const Node function = call["function"];
        const auto input = inputOf(function["arguments"]);
        if (!input) return false;
        const Raw id = call["id"].string();
        begin("tool_use");
        if (id.bytes.empty()) {
            writeMember(m_writer, "id", {madeCallId(m_calls, m_messageId.bytes)});
        } else {
            writeMember(m_writer, "id", id);
        }
        writeMember(m_writer, "name", function["name"].string());
        m_writer.key("input");
        m_writer.raw(*input);
        m_writer.endObject();
        ++m_calls;
        return true;
    }

    [[nodiscard]] bool hasToolCalls() const { return m_calls > 0; }

private:
    void begin(std::string_view type)
    {
        m_writer.beginObject();
        writeMember(m_writer, "type", {type});
    }

    static std::optional<std::string> inputOf(const Node& arguments)
    {
        if (arguments.isObject()) return std::string{arguments.raw()};
        if (!arguments.isGiven()) return "{}";
        auto text = arguments.text();
        if (!text) return std::nullopt;
        const std::string_view trimmed = json::withoutBlanks(*text);
        if (trimmed.empty() || trimmed == "null") return "{}";
        if (!json::isObject(*text)) return std::nullopt;
        return text;
    }

    Writer& m_writer;
    Raw m_messageId;
    std::int64_t m_calls = 0;
};

/// False where a call has arguments that are none.
bool writeContent(const Node& message, Ending ending, ContentWriter& content)
{
    content.writeThinking(reasoningOf(message).string());
    eachText(message["content"], [&content](TextKind kind, Raw text) {
        if (kind == TextKind::Text) {
            content.writeText(text);
        } else {
            content.writeThinking(text);
        }
    });
    content.writeText(message["refusal"].string());
    for (const Node call : message["tool_calls"]) {
        const bool isWritten = content.writeCall(call);
        // A call that the length limit cut cannot be run; without it the answer is still one.
        if (!isWritten && ending != Ending::Length) return false;
    }
    return true;
}

Node firstChoice(const Node& answer)
{
    for (const Node choice : answer["choices"]) {
        if (choice["index"].integer().value_or(0) == 0) return choice;
    }
    return {};
}

Result<std::string, Failure>
toMessages(const Node& answer, const TokenUsage& usage, UtcTime now, std::size_t size)
{
    const Node choice = firstChoice(answer);
    Ending ending = endingOf(choice["finish_reason"].string().bytes);
    const Raw sequence = stopSequenceOf(choice);
    if (ending == Ending::Stop && !sequence.bytes.empty()) ending = Ending::StopSequence;
    std::string out;
    out.reserve(size);
    Writer writer{out};
    writer.beginObject();
    writeId(writer, answer["id"].string(), "msg_", now);
    writeMember(writer, "type", {"message"});
    writeMember(writer, "role", {"assistant"});
    writeMember(writer, "model", answer["model"].string());
    writer.key("content");
    writer.beginArray();
    ContentWriter content{writer, answer["id"].string()};
    if (!writeContent(choice["message"], ending, content)) {
        return malformed(
            "The provider's answer holds a tool call whose arguments are no JSON object.");
    }
    writer.endArray();
    const auto word = finishWord(Protocol::Anthropic, ending, content.hasToolCalls());
    writeMember(writer, "stop_reason", {word});
    writer.key("stop_sequence");
    if (word == "stop_sequence") {
        writer.string(sequence);
    } else {
        writer.null();
    }
    writer.key("usage");
    writeUsage(Protocol::Anthropic, usage, writer);
    writer.endObject();
    return out;
}

/// One string of all texts of the blocks of a type; null where there is no such block.
void writeJoined(const Node& content, std::string_view type, std::string_view name, Writer& writer)
{
    bool isAny = false;
    for (const Node block : content) {
        if (!block["type"].is(type)) continue;
        if (!isAny) writer.beginString();
        isAny = true;
        writer.stringPart(block[name].string());
    }
    if (isAny) {
        writer.endString();
    } else {
        writer.null();
    }
}

bool isSigned(const Node& block)
{
    return block["type"].is("thinking") && !block["signature"].string().bytes.empty();
}

void writeReasoning(const Node& content, Writer& writer)
{
    bool hasThinking = false;
    bool hasDetails = false;
    for (const Node block : content) {
        hasThinking = hasThinking || block["type"].is("thinking");
        hasDetails = hasDetails || isSigned(block) || block["type"].is("redacted_thinking");
    }
    if (hasThinking) {
        writer.key("reasoning_content");
        writeJoined(content, "thinking", "thinking", writer);
    }
    if (!hasDetails) return;
    writer.key("reasoning_details");
    writer.beginArray();
    BlockPlaces places;
    for (const Node block : content) {
        const Node type = block["type"];
        if (type.is("text") && !block["text"].string().bytes.empty()) places.text();
        if (type.is("tool_use")) static_cast<void>(places.next());
        if (isSigned(block)) {
            writeThinkingDetail(
                block["thinking"].string(), block["signature"].string(), places.next(), writer);
        } else if (type.is("redacted_thinking")) {
            writeRedactedDetail(block["data"].string(), places.next(), writer);
        }
    }
    writer.endArray();
}

/// Whether there are any.
bool writeToolCalls(const Node& content, Raw messageId, Writer& writer)
{
    std::int64_t calls = 0;
    for (const Node block : content) {
        if (!block["type"].is("tool_use")) continue;
        if (calls == 0) {
            writer.key("tool_calls");
            writer.beginArray();
        }
        const Raw id = block["id"].string();
        writer.beginObject();
        writer.key("id");
        if (id.bytes.empty()) {
            writer.string({madeCallId(calls, messageId.bytes)});
        } else {
            writer.string(id);
        }
        writeMember(writer, "type", {"function"});
        writer.key("function");
        writer.beginObject();
        writeMember(writer, "name", block["name"].string());
        writer.key("arguments");
        writer.text(block["input"].isObject() ? block["input"].raw() : "{}");
        writer.endObject();
        writer.endObject();
        ++calls;
    }
    if (calls > 0) writer.endArray();
    return calls > 0;
}

std::string toChat(const Node& answer, const TokenUsage& usage, UtcTime now, std::size_t size)
{
    const Node content = answer["content"];
    std::string out;
    out.reserve(size);
    Writer writer{out};
    writer.beginObject();
    writeId(writer, answer["id"].string(), "chatcmpl-", now);
    writeMember(writer, "object", {"chat.completion"});
    writer.key("created");
    writer.integer(std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count());
    writeMember(writer, "model", answer["model"].string());
    writer.key("choices");
    writer.beginArray();
    writer.beginObject();
    writer.key("index");
    writer.integer(0);
    writer.key("message");
    writer.beginObject();
    writeMember(writer, "role", {"assistant"});
    writer.key("content");
    writeJoined(content, "text", "text", writer);
    writeReasoning(content, writer);
    const bool hasToolCalls = writeToolCalls(content, answer["id"].string(), writer);
    writer.endObject();
    const Ending ending = endingOf(answer["stop_reason"].string().bytes);
    writeMember(writer, "finish_reason", {finishWord(Protocol::OpenAi, ending, hasToolCalls)});
    writer.endObject();
    writer.endArray();
    if (isWholeUsage(usage)) {
        writer.key("usage");
        writeUsage(Protocol::OpenAi, usage, writer);
    }
    writer.endObject();
    return out;
}

} // namespace

Result<std::string, Failure>
translateAnswer(Protocol from, std::string_view paddedBody, UtcTime now)
{
    const TokenUsage usage = readAnswer(from, paddedBody, now).usage;
    json::Tree tree;
    if (!tree.readPadded(paddedBody)) return malformed("The provider's answer cannot be read.");
    // The translation is about as long, plus its own frame.
    constexpr std::size_t kFrameSize = 512;
    const std::size_t size = paddedBody.size() + kFrameSize;
    if (from == Protocol::OpenAi) return toMessages(tree.root(), usage, now, size);
    return toChat(tree.root(), usage, now, size);
}

} // namespace weir::protocol
