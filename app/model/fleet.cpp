// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/fleet.h"

#include "app/model/format.h"

#include <algorithm>

namespace weir::model {
namespace {

UtcTime before(UtcTime now, double seconds)
{
    const double bounded = std::clamp(seconds, 0.0, 1e9);
    return now - std::chrono::milliseconds{static_cast<std::int64_t>(bounded * 1000.0)};
}

void acknowledge(AgentReport& agent, std::int64_t version, std::optional<UtcTime> at, UtcTime now)
{
    if (version != agent.switchVersion) {
        agent.switchVersion = version;
        agent.ackedAt = now;
    }
    // The agent's own time is better than ours if it lies before the moment at which we knew.
    if (at && *at > UtcTime{} && agent.ackedAt && *at < *agent.ackedAt) agent.ackedAt = at;
}

void acknowledgeSettings(
    AgentReport& agent, std::int64_t version, std::optional<UtcTime> at, UtcTime now)
{
    if (version == agent.settingsVersion) return;
    agent.settingsVersion = version;
    // Its row says when it applied the newer of switch and settings: just now, that is these.
    agent.settingsAckedAt = at && *at > UtcTime{} ? std::min(*at, now) : now;
}

std::vector<AgentReport> where(const std::vector<AgentReport>& agents, bool isHeard, UtcTime now)
{
    std::vector<AgentReport> chosen;
    std::ranges::copy_if(agents, std::back_inserter(chosen), [&](const AgentReport& agent) {
        return agent.isHeard(now) == isHeard;
    });
    return chosen;
}

} // namespace

QString AgentReport::label() const
{
    constexpr std::size_t kReadable = 20;
    constexpr std::size_t kShort = 6;
    if (id.size() <= kReadable || host.empty()) return plain(id);
    return plain(host) + QStringLiteral("/") + plain(id.substr(0, kShort));
}

AgentReport& Fleet::at(const std::string& id, bool& isNew)
{
    const auto place = std::ranges::lower_bound(m_agents, id, {}, &AgentReport::id);
    isNew = place == m_agents.end() || place->id != id;
    if (!isNew) return *place;
    AgentReport report;
    report.id = id;
    return *m_agents.insert(place, std::move(report));
}

void Fleet::hear(const AgentStatus& status, UtcTime now)
{
    bool isNew = false;
    AgentReport& own = at(status.agentId, isNew);
    own.service = status.service;
    own.host = status.host;
    own.mode = status.effectiveMode;
    own.modeReason = status.modeReason;
    own.heardAt = now;
    acknowledge(own, status.switchVersion, std::nullopt, now);
    acknowledgeSettings(own, status.settingsVersion, std::nullopt, now);

    for (const AgentPresence& other : status.agents) {
        if (other.agentId == status.agentId || other.agentId.empty()) continue;
        const UtcTime heardAt = before(now, other.lastSeenS);
        AgentReport& agent = at(other.agentId, isNew);
        if (!isNew && heardAt <= agent.heardAt) continue;
        agent.service = other.service;
        agent.host = other.host;
        agent.mode = effectiveModeFromWord(other.effectiveMode).value_or(EffectiveMode::Failsafe);
        agent.modeReason = other.modeReason;
        agent.heardAt = heardAt;
        acknowledge(agent, other.switchVersion, std::nullopt, now);
        acknowledgeSettings(agent, other.settingsVersion, std::nullopt, now);
    }
}

void Fleet::hear(const std::vector<AgentStateRow>& rows, UtcTime now)
{
    for (const AgentStateRow& row : rows) {
        bool isNew = false;
        AgentReport& agent = at(row.agentId, isNew);
        if (!isNew && row.seenAt == agent.rowSeenAt) continue;
        const bool isFirstRow = agent.rowSeenAt == UtcTime{};
        agent.rowSeenAt = row.seenAt;
        agent.service = row.service;
        agent.host = row.host;
        // A row met for the first time may be old: its heartbeat says how old, but never the
        // future.
        const UtcTime heardAt = isFirstRow ? std::min(row.seenAt, now) : now;
        if (heardAt < agent.heardAt) continue;
        agent.heardAt = heardAt;
        agent.mode = row.effectiveMode;
        agent.modeReason = row.modeReason;
        acknowledge(agent, row.switchVersion, row.appliedAt, now);
        acknowledgeSettings(agent, row.settingsVersion, row.appliedAt, now);
    }
}

std::vector<AgentReport> Fleet::heard(UtcTime now) const
{
    return where(m_agents, true, now);
}

std::vector<AgentReport> Fleet::silent(UtcTime now) const
{
    return where(m_agents, false, now);
}

} // namespace weir::model
