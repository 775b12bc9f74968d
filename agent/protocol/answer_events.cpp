// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/answer_events.h"

#include "agent/protocol/json_tree.h"
#include "agent/protocol/json_writer.h"

namespace weir::protocol {
namespace {

using json::Node;
using json::Writer;

void member(Writer& writer, std::string_view name, std::string_view raw)
{
    writer.key(name);
    writer.raw(raw);
}

/// A delta's tool calls say which one they are a part of.
void toolCalls(Writer& writer, const Node& calls)
{
    writer.beginArray();
    std::int64_t index = 0;
    for (const Node call : calls) {
        writer.beginObject();
        writer.key("index");
        writer.integer(index++);
        for (const Node each : call) {
            if (each.key().is("index")) continue;
            member(writer, each.key().bytes, each.raw());
        }
        writer.endObject();
    }
    writer.endArray();
}

/// One chunk; `choices` writes the elements of that array.
template <class Choices>
void chunk(std::string& out, const Node& answer, Choices&& choices, bool usage)
{
    out += "data: ";
    Writer writer(out);
    writer.beginObject();
    for (const Node each : answer) {
        if (each.key().is("choices") || each.key().is("usage")) continue;
        const bool isKind = each.key().is("object");
        member(writer, each.key().bytes, isKind ? R"("chat.completion.chunk")" : each.raw());
    }
    writer.key("choices");
    writer.beginArray();
    choices(writer);
    writer.endArray();
    if (usage) member(writer, "usage", answer["usage"].raw());
    writer.endObject();
    out += "\n\n";
}

void chatDelta(Writer& writer, const Node& choice)
{
    const Node index = choice["index"];
    writer.beginObject();
    member(writer, "index", index.exists() ? index.raw() : "0");
    writer.key("delta");
    writer.beginObject();
    for (const Node each : choice["message"]) {
        writer.key(each.key().bytes);
        if (each.key().is("tool_calls") && each.isArray()) {
            toolCalls(writer, each);
        } else {
            writer.raw(each.raw());
        }
    }
    writer.endObject();
    if (choice["logprobs"].isGiven()) member(writer, "logprobs", choice["logprobs"].raw());
    member(writer, "finish_reason", "null");
    writer.endObject();
}

void chatFinish(Writer& writer, const Node& choice)
{
    const Node index = choice["index"];
    const Node reason = choice["finish_reason"];
    writer.beginObject();
    member(writer, "index", index.exists() ? index.raw() : "0");
    member(writer, "delta", "{}");
    member(writer, "finish_reason", reason.isGiven() ? reason.raw() : R"("stop")");
    writer.endObject();
}

std::string chatEvents(const Node& answer, bool wantsUsage)
{
    std::string out;
    const Node choices = answer["choices"];
    const auto each = [&choices](auto write) {
        return [&choices, write](Writer& writer) {
            for (const Node choice : choices)
                write(writer, choice);
        };
    };
    chunk(out, answer, each(chatDelta), false);
    chunk(out, answer, each(chatFinish), false);
    if (wantsUsage && answer["usage"].isGiven())
        chunk(
            out, answer, [](Writer&) {}, true);
    out += "data: [DONE]\n\n";
    return out;
}

/// `rest` writes the further members.
template <class Rest>
void event(std::string& out, std::string_view type, Rest&& rest)
{
    out += "event: ";
    out += type;
    out += "\ndata: ";
    Writer writer(out);
    writer.beginObject();
    writer.key("type");
    writer.text(type);
    rest(writer);
    writer.endObject();
    out += "\n\n";
}

void blockDelta(std::string& out, std::int64_t index, std::string_view type, auto write)
{
    event(out, "content_block_delta", [&](Writer& writer) {
        writer.key("index");
        writer.integer(index);
        writer.key("delta");
        writer.beginObject();
        writer.key("type");
        writer.text(type);
        write(writer);
        writer.endObject();
    });
}

/// The block as it begins: what grows by deltas is empty.
void blockStart(std::string& out, std::int64_t index, const Node& block)
{
    event(out, "content_block_start", [&](Writer& writer) {
        writer.key("index");
        writer.integer(index);
        writer.key("content_block");
        writer.beginObject();
        for (const Node each : block) {
            const bool isText = block["type"].is("text") && each.key().is("text");
            const bool isThought = block["type"].is("thinking") &&
                                   (each.key().is("thinking") || each.key().is("signature"));
            const bool isInput = block["type"].is("tool_use") && each.key().is("input");
            const std::string_view empty = isInput ? "{}" : R"("")";
            const bool grows = isText || isThought || isInput;
            member(writer, each.key().bytes, grows ? empty : each.raw());
        }
        writer.endObject();
    });
}

void blockEvents(std::string& out, std::int64_t index, const Node& block)
{
    blockStart(out, index, block);
    const auto delta = [&](std::string_view type, std::string_view name, const Node& text) {
        if (!text.isString() || text.string().bytes.empty()) return;
        blockDelta(out, index, type, [&](Writer& writer) { member(writer, name, text.raw()); });
    };
    if (block["type"].is("text")) delta("text_delta", "text", block["text"]);
    if (block["type"].is("thinking")) {
        delta("thinking_delta", "thinking", block["thinking"]);
        delta("signature_delta", "signature", block["signature"]);
    }
    if (block["type"].is("tool_use") && !block["input"].isEmpty()) {
        blockDelta(out, index, "input_json_delta", [&](Writer& writer) {
            writer.key("partial_json");
            writer.text(block["input"].raw());
        });
    }
    event(out, "content_block_stop", [index](Writer& writer) {
        writer.key("index");
        writer.integer(index);
    });
}

std::string messageEvents(const Node& answer)
{
    std::string out;
    event(out, "message_start", [&](Writer& writer) {
        writer.key("message");
        writer.beginObject();
        for (const Node each : answer) {
            const bool isEnd = each.key().is("stop_reason") || each.key().is("stop_sequence");
            const std::string_view raw = isEnd ? "null" : each.raw();
            member(writer, each.key().bytes, each.key().is("content") ? "[]" : raw);
        }
        writer.endObject();
    });
    std::int64_t index = 0;
    for (const Node block : answer["content"])
        blockEvents(out, index++, block);
    event(out, "message_delta", [&](Writer& writer) {
        writer.key("delta");
        writer.beginObject();
        const Node sequence = answer["stop_sequence"];
        member(writer, "stop_reason", answer["stop_reason"].raw());
        member(writer, "stop_sequence", sequence.exists() ? sequence.raw() : "null");
        writer.endObject();
        if (answer["usage"].isGiven()) member(writer, "usage", answer["usage"].raw());
    });
    event(out, "message_stop", [](Writer&) {});
    return out;
}

} // namespace

std::optional<std::string> answerEvents(Protocol protocol, std::string_view body, bool wantsUsage)
{
    json::Tree tree;
    if (!tree.readPadded(body)) return std::nullopt;
    const Node answer = tree.root();
    if (protocol == Protocol::OpenAi) {
        if (answer["choices"].isEmpty()) return std::nullopt;
        return chatEvents(answer, wantsUsage);
    }
    if (!answer["content"].isArray() || !answer["stop_reason"].exists()) return std::nullopt;
    return messageEvents(answer);
}

} // namespace weir::protocol
