// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/live_stats.h"
#include "agent/store/store.h"
#include "common/base/published.h"
#include "common/model/status.h"

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace weir::run {

/// Heard of so lately, an agent is alive: it says something each second.
inline constexpr double kAliveS = 10.0;

/// What this agent can tell of the whole fleet: who is in it, and what its routes did in the last
/// minute. Read from the store at a pace that the fleet's size allows; the minute only while
/// somebody asks for it. The store's thread reads, any thread asks; nobody waits.
class FleetWatch final
{
public:
    explicit FleetWatch(store::Store& store);

    /// Some times a second. `utc` is the store's time.
    void look(Instant now, UtcTime utc);

    /// Somebody came, went or changed.
    void lookAgain() { m_nextAgents = {}; }

    /// By id, those that are silent included. Never null.
    [[nodiscard]] std::shared_ptr<const std::vector<AgentPresence>> agents() const
    {
        return m_agents.get();
    }

    /// Of all agents together; nothing where there is no other agent. Is empty at first.
    [[nodiscard]] std::optional<admin::LiveStats::Minute> minute(Instant now);

private:
    void readMinute(UtcTime utc);

    store::Store& m_store;
    Published<std::vector<AgentPresence>> m_agents;
    Published<admin::LiveStats::Minute> m_minute;
    std::atomic<Instant> m_asked{};
    Instant m_nextAgents{};
    Instant m_nextMinute{};
};

} // namespace weir::run
