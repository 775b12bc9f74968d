// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/shared_summary.h"

#include <utility>

namespace weir::fleet {
namespace {

const std::string kKey = "weir:1:summary";

} // namespace

SharedSummary::SharedSummary(const RedisScript& script)
    : m_script(script)
{
}

void SharedSummary::publish(
    std::string id, std::int64_t computedAtMs, std::string json, std::int64_t token)
{
    const std::scoped_lock lock(m_mutex);
    m_made = Made{std::move(id), computedAtMs, std::move(json), token};
    m_due = true;
}

std::vector<RedisCommand> SharedSummary::commands()
{
    std::vector<RedisCommand> commands;
    const std::scoped_lock lock(m_mutex);
    m_sends = m_due;
    m_ownId = m_made ? m_made->id : std::string{};
    if (m_sends) {
        commands.push_back(
            {{kKey,
              m_made->id,
              std::to_string(m_made->computedAtMs),
              std::to_string(m_made->token),
              m_made->json},
             kKey,
             &m_script,
             1});
    }
    if (m_fetches) {
        commands.push_back({{"HMGET", kKey, "id", "json"}, kKey});
    } else {
        commands.push_back({{"HGET", kKey, "id"}, kKey});
    }
    return commands;
}

/// Another may have been made while Redis was asked.
bool SharedSummary::isOwn(const std::string& id) const
{
    return m_made && (id == m_ownId || id == m_made->id);
}

std::optional<std::string> SharedSummary::take(std::span<const RedisReply> replies)
{
    const std::scoped_lock lock(m_mutex);
    // Whatever the answer is: a newer one is there then.
    if (m_sends && !replies.front().isError()) m_due = m_made->id != m_ownId;
    const RedisReply& found = replies.back();
    if (std::exchange(m_fetches, false)) {
        const bool isWhole = found.isList() && found.items.size() == 2 && found.items[1].isText();
        if (!isWhole || isOwn(found.items[0].text)) return std::nullopt;
        m_knownId = found.items[0].text;
        return found.items[1].text;
    }
    if ((found.isMiss() || isSpoilt(found)) && m_made && !m_sends) m_due = true;
    m_fetches = found.isText() && found.text != m_knownId && !isOwn(found.text);
    return std::nullopt;
}

} // namespace weir::fleet
