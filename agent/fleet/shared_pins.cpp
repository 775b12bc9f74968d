// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/shared_pins.h"

#include "agent/fleet/packed.h"

#include <algorithm>
#include <charconv>

namespace weir::fleet {
namespace {

const std::string kKey = "weir:1:pins";
constexpr char kKind = 'p';
/// Of one batch, and of batches that are kept and read at a time: more only means colder caches.
constexpr std::size_t kPinsMax = 2000;
constexpr const char* kBatchesKept = "5000";
constexpr const char* kBatchesRead = "200";

std::int64_t millisecondsIn(std::string_view id)
{
    std::int64_t ms = 0;
    std::from_chars(id.data(), id.data() + id.size(), ms);
    return ms;
}

/// The time by Redis, in milliseconds; 0 where it is none.
std::int64_t timeFrom(const RedisReply& reply)
{
    if (!reply.isList() || reply.items.size() != 2) return 0;
    return millisecondsIn(reply.items[0].text) * 1000 + millisecondsIn(reply.items[1].text) / 1000;
}

/// The value of a field in an entry's list of both.
std::string_view valueOf(const RedisReply& fields, std::string_view name)
{
    for (std::size_t i = 0; i + 1 < fields.items.size(); i += 2) {
        if (fields.items[i].text == name) return fields.items[i + 1].text;
    }
    return {};
}

} // namespace

SharedPins::SharedPins(std::string agentId)
    : m_agentId(std::move(agentId))
{
}

std::vector<RedisCommand>
SharedPins::commands(const std::vector<SharedPin>& served, std::chrono::milliseconds life)
{
    m_lifeMs = life.count();
    std::vector<RedisCommand> commands;
    commands.push_back({{"TIME"}, kKey});
    if (!m_last.empty()) {
        commands.push_back({{"XREAD", "COUNT", kBatchesRead, "STREAMS", kKey, m_last}, kKey});
    }
    if (!served.empty()) {
        commands.push_back(
            {{"XADD", kKey, "MAXLEN", "~", kBatchesKept, "*", "a", m_agentId, "p", packed(served)},
             kKey});
    }
    return commands;
}

std::vector<SharedPin> SharedPins::take(std::span<const RedisReply> replies)
{
    std::vector<SharedPin> pins;
    if (replies.empty()) return pins;
    const std::int64_t now = timeFrom(replies.front());
    if (now == 0) return pins;
    // Whoever starts wants what is still warm; a clock that was set back has a line of its own.
    if (m_last.empty() || millisecondsIn(m_last) > now + 1000) {
        m_last = std::to_string(std::max<std::int64_t>(now - m_lifeMs, 0)) + "-0";
        return pins;
    }
    if (replies.size() < 2 || !replies[1].isList()) return pins;
    for (const RedisReply& stream : replies[1].items) {
        if (stream.items.size() != 2) continue;
        for (const RedisReply& entry : stream.items[1].items) {
            if (entry.items.size() != 2) continue;
            m_last = entry.items[0].text;
            if (valueOf(entry.items[1], "a") == m_agentId) continue;
            const std::int64_t since = std::max<std::int64_t>(now - millisecondsIn(m_last), 0);
            for (SharedPin pin : unpackPins(valueOf(entry.items[1], "p"))) {
                pin.ageMs += since;
                if (pin.ageMs < m_lifeMs) pins.push_back(pin);
            }
        }
    }
    return pins;
}

std::string packed(const std::vector<SharedPin>& pins)
{
    PackedWriter writer(kKind);
    const std::size_t count = std::min(pins.size(), kPinsMax);
    writer.number(count);
    for (std::size_t i = 0; i < count; ++i) {
        writer.number(pins[i].conversation);
        writer.number(pins[i].route);
        writer.flag(pins[i].explored);
        writer.wide(pins[i].ageMs);
    }
    return writer.take();
}

std::vector<SharedPin> unpackPins(std::string_view bytes)
{
    PackedReader reader(kKind, bytes);
    std::vector<SharedPin> pins(reader.length(kPinsMax));
    for (SharedPin& pin : pins) {
        reader.number(pin.conversation);
        reader.number(pin.route);
        reader.flag(pin.explored);
        reader.wide(pin.ageMs);
    }
    const bool isSensible =
        std::ranges::all_of(pins, [](const SharedPin& pin) { return pin.ageMs >= 0; });
    return reader.good() && isSensible ? pins : std::vector<SharedPin>{};
}

} // namespace weir::fleet
