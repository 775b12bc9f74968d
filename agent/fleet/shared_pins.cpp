// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/shared_pins.h"

#include "agent/fleet/packed.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace weir::fleet {
namespace {

const std::string kKey = "weir:1:pins";
constexpr char kKind = 'p';
/// Of one batch, and of batches that are kept: fewer only means colder caches. Twenty agents write
/// so many in five minutes.
constexpr std::size_t kPinsMax = 256;
constexpr const char* kBatchesKept = "20000";
/// Batches that all agents together read at a time, and that one does: every batch goes to
/// everybody, so what a large fleet reads must not grow with its square.
constexpr std::int64_t kReadByAll = 4000;
constexpr std::int64_t kReadLeast = 16;
constexpr std::int64_t kReadMost = 100;
/// Who is so far behind reads on from now.
constexpr std::int64_t kBehindMs = 5000;
/// No clock is so far ahead of another.
constexpr std::int64_t kAheadMs = 60'000;

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

std::vector<RedisCommand> SharedPins::commands(
    const std::vector<SharedPin>& served, std::chrono::milliseconds life, std::int64_t agents)
{
    m_lifeMs = life.count();
    m_readMax = static_cast<std::size_t>(
        std::clamp(kReadByAll / std::max<std::int64_t>(agents, 1), kReadLeast, kReadMost));
    std::vector<RedisCommand> commands;
    commands.push_back({{"TIME"}, kKey});
    if (std::exchange(m_isSpoilt, false)) {
        commands.push_back({{"DEL", kKey}, kKey});
        return commands;
    }
    if (!m_last.empty()) {
        commands.push_back(
            {{"XREAD", "COUNT", std::to_string(m_readMax), "STREAMS", kKey, m_last}, kKey});
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
    m_isSpoilt = std::ranges::any_of(replies, isSpoilt);
    if (replies.size() < 2 || !replies[1].isList()) return pins;
    std::size_t read = 0;
    for (const RedisReply& stream : replies[1].items) {
        if (stream.items.size() != 2) continue;
        for (const RedisReply& entry : stream.items[1].items) {
            if (entry.items.size() != 2) continue;
            ++read;
            m_last = entry.items[0].text;
            if (valueOf(entry.items[1], "a") == m_agentId) continue;
            const std::int64_t since = std::max<std::int64_t>(now - millisecondsIn(m_last), 0);
            for (SharedPin pin : unpackPins(valueOf(entry.items[1], "p"))) {
                pin.ageMs += since;
                if (pin.ageMs < m_lifeMs) pins.push_back(pin);
            }
        }
    }
    m_catchUps = read < m_readMax ? 0 : std::max(m_catchUps - 1, 0);
    const std::int64_t behind = now - millisecondsIn(m_last);
    if (m_catchUps == 0 && read >= m_readMax && behind > kBehindMs) {
        m_last = std::to_string(now) + "-0";
    }
    // What is added goes behind it: with that in it, nobody would know what is new.
    m_isSpoilt = m_isSpoilt || behind < -kAheadMs;
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
