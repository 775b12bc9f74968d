// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/answer_metadata.h"

#include "agent/protocol/json_writer.h"
#include "agent/protocol/sse.h"

namespace weir::proxy {
namespace {

using protocol::json::Writer;

void addCount(Writer& writer, std::string_view name, const std::optional<std::int64_t>& count)
{
    if (!count) return;
    writer.key(name);
    writer.integer(*count);
}

void insertAt(std::string& text, std::size_t brace, std::string_view member)
{
    const std::size_t last = text.find_last_not_of(" \t\r\n", brace - 1);
    const bool isEmpty = last == std::string::npos || text[last] == '{';
    text.insert(brace, member);
    if (!isEmpty) text.insert(brace, 1, ',');
}

} // namespace

std::string metadataMember(
    const AnswerFields& fields, const TokenUsage& usage, std::optional<std::int64_t> costMicroUsd)
{
    std::string json = "\"weir\":";
    Writer writer(json);
    const auto add = [&writer](std::string_view name, std::string_view text) {
        writer.key(name);
        writer.text(text);
    };
    writer.beginObject();
    add("request_id", fields.requestId);
    if (!fields.provider.empty()) {
        add("provider", fields.provider);
        add("route", fields.route);
        add("reason", toWord(fields.reason));
    }
    add("mode", toWord(fields.mode));
    add("level", 'L' + std::to_string(fields.level.value_or(0)));
    writer.key("attempts");
    writer.integer(fields.attempts);
    writer.key("usage");
    writer.beginObject();
    addCount(writer, "input_uncached", usage.inputUncached);
    addCount(writer, "input_cached", usage.inputCached);
    addCount(writer, "cache_write", usage.cacheWrite);
    addCount(writer, "output", usage.output);
    addCount(writer, "reasoning", usage.reasoning);
    writer.key("estimated");
    writer.boolean(usage.estimated);
    writer.endObject();
    addCount(writer, "cost_micro_usd", costMicroUsd);
    writer.endObject();
    return json;
}

void addMember(std::string& text, std::string_view member)
{
    const std::size_t brace = text.rfind('}');
    if (brace != std::string::npos) insertAt(text, brace, member);
}

void addMemberToLastEvent(std::string& events, std::string_view member)
{
    protocol::SseFramer framer(events.size() + 1);
    framer.feed(events);
    protocol::SseEvent event;
    std::optional<std::size_t> brace;
    const auto look = [&](const protocol::SseEvent& each) {
        const std::string_view data = each.data;
        const bool isWithin = data.data() >= events.data() &&
                              data.data() + data.size() <= events.data() + events.size();
        if (each.name == "ping" || !isWithin || !data.starts_with('{')) return;
        const std::size_t last = data.find_last_not_of(" \t");
        if (last == std::string_view::npos || data[last] != '}') return;
        brace = static_cast<std::size_t>(data.data() - events.data()) + last;
    };
    while (framer.next(event))
        look(event);
    if (brace) insertAt(events, *brace, member);
}

} // namespace weir::proxy
