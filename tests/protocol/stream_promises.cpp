// SPDX-License-Identifier: Apache-2.0
#include "tests/protocol/stream_promises.h"

#include "agent/protocol/sse.h"
#include "tests/protocol/readable_json.h"

#include <cstdint>

namespace weir::protocol::promises {
namespace {

using nlohmann::json;

/// Notes the first promise that is broken.
class Watcher
{
public:
    [[nodiscard]] const std::optional<std::string>& broken() const { return m_broken; }

protected:
    void promise(bool kept, const char* what)
    {
        if (!kept && !m_broken) m_broken = what;
    }

private:
    std::optional<std::string> m_broken;
};

class MessagesWatcher final : public Watcher
{
public:
    void take(const SseEvent& event)
    {
        const json data = parsedJson(event.data);
        promise(data.is_object(), "an event is an object");
        if (broken()) return;
        const std::string type = data.value("type", "");
        promise(type == event.name, "an event's name is its type");
        promise(!m_hasEnded, "nothing follows message_stop");
        promise(m_hasStarted == (type != "message_start"), "message_start comes first and once");
        if (broken()) return;
        if (type == "message_start") {
            m_hasStarted = true;
            promise(data["message"]["id"].is_string(), "a message has an id");
        } else if (type == "content_block_start") {
            start(data);
        } else if (type == "content_block_delta") {
            takeDelta(data);
        } else if (type == "content_block_stop") {
            promise(m_isOpen && data["index"] == m_index, "a stop closes the open block");
            m_isOpen = false;
            ++m_index;
        } else if (type == "message_delta") {
            promise(!m_isOpen, "the stop reason comes behind the last block");
            promise(!m_hasReason, "there is one stop reason");
            promise(data["delta"]["stop_reason"].is_string(), "a stop reason is a word");
            promise(data["usage"]["output_tokens"].is_number(), "the output is counted");
            m_hasReason = true;
        } else {
            promise(type == "message_stop", "there are no other events");
            promise(m_hasReason, "a stop reason comes before the end");
            m_hasEnded = true;
        }
    }

    void end(bool isComplete) { promise(m_hasEnded == isComplete, "an end where it is complete"); }

private:
    void start(const json& data)
    {
        promise(!m_isOpen && !m_hasReason, "one block at a time");
        promise(data["index"] == m_index, "indexes rise by one");
        m_isOpen = true;
        m_kind = data["content_block"].value("type", "");
        promise(m_kind == "text" || m_kind == "thinking" || m_kind == "tool_use", "a known block");
    }

    void takeDelta(const json& data)
    {
        promise(m_isOpen && data["index"] == m_index, "a delta belongs to the open block");
        const std::string type = data["delta"].value("type", "");
        const bool fits = (type == "text_delta" && m_kind == "text") ||
                          (type == "thinking_delta" && m_kind == "thinking") ||
                          (type == "signature_delta" && m_kind == "thinking") ||
                          (type == "input_json_delta" && m_kind == "tool_use");
        promise(fits, "a delta is of its block's kind");
    }

    std::string m_kind;
    std::int64_t m_index = 0;
    bool m_hasStarted = false;
    bool m_isOpen = false;
    bool m_hasReason = false;
    bool m_hasEnded = false;
};

class ChatWatcher final : public Watcher
{
public:
    void take(const SseEvent& event)
    {
        promise(!m_hasEnded, "nothing follows [DONE]");
        promise(event.name.empty(), "an event has no name");
        if (event.data == "[DONE]") {
            promise(m_hasReason, "a finish reason comes before the end");
            m_hasEnded = true;
            return;
        }
        const json data = parsedJson(event.data);
        promise(data.is_object(), "an event is an object");
        if (broken()) return;
        promise(data.value("object", "") == "chat.completion.chunk", "an event is a chunk");
        const std::string head = data["id"].dump() + data["model"].dump() + data["created"].dump();
        promise(m_head.empty() || m_head == head, "all chunks have one head");
        const json& choices = data["choices"];
        promise(choices.is_array() && choices.size() <= 1, "one choice");
        if (broken()) return;
        if (choices.empty()) {
            promise(m_hasReason && data.contains("usage"), "without a choice it is the usage");
            return;
        }
        takeChoice(choices[0]);
        m_head = head;
    }

    void end(bool isComplete) { promise(m_hasEnded == isComplete, "an end where it is complete"); }

private:
    void takeChoice(const json& choice)
    {
        const json& delta = choice["delta"];
        promise(!m_hasReason, "nothing follows the finish reason");
        promise(delta.is_object() && choice["index"] == 0, "a choice has a delta");
        if (broken()) return;
        promise(m_head.empty() == delta.contains("role"), "the role comes first and once");
        if (delta.contains("tool_calls")) takeCall(delta["tool_calls"][0]);
        if (choice["finish_reason"].is_string()) m_hasReason = true;
    }

    void takeCall(const json& call)
    {
        const bool isNew = call.contains("id");
        promise(call["function"]["arguments"].is_string(), "arguments come as a text");
        promise(
            isNew ? call["index"] == m_calls : call["index"] < m_calls, "calls count from zero");
        if (isNew) ++m_calls;
    }

    std::string m_head;
    std::int64_t m_calls = 0;
    bool m_hasReason = false;
    bool m_hasEnded = false;
};

template <class Watch>
std::optional<std::string> watch(std::string_view stream, bool isComplete)
{
    Watch watcher;
    SseFramer framer{stream.size() + 1};
    framer.feed(stream);
    SseEvent event;
    while (!watcher.broken() && framer.next(event))
        watcher.take(event);
    if (watcher.broken()) return watcher.broken();
    if (!framer.rest().empty()) return "an event is whole";
    watcher.end(isComplete);
    return watcher.broken();
}

} // namespace

std::optional<std::string> broken(Protocol client, std::string_view stream, bool isComplete)
{
    return client == Protocol::Anthropic ? watch<MessagesWatcher>(stream, isComplete)
                                         : watch<ChatWatcher>(stream, isComplete);
}

bool isJson(std::string_view text)
{
    return json::accept(readableJson(text));
}

} // namespace weir::protocol::promises
