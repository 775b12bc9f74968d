// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/time.h"
#include "common/model/status.h"
#include "common/model/store_rows.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace weir::model {

/// An agent not heard for so long no longer counts as reporting (console rule for the mode pill).
inline constexpr Duration kSilentAfter = std::chrono::seconds{15};

/// What one agent last said about itself, whichever way it came.
struct AgentReport
{
    std::string id;
    std::string service;
    std::string host;
    EffectiveMode mode = EffectiveMode::Failsafe;
    std::string modeReason;
    std::int64_t switchVersion = 0;
    std::int64_t settingsVersion = 0;
    /// When it acknowledged `switchVersion`: its own word where it gave one that can be true, else
    /// when the console saw it.
    std::optional<UtcTime> ackedAt;
    /// The same of `settingsVersion`.
    std::optional<UtcTime> settingsAckedAt;
    /// On the console's clock.
    UtcTime heardAt{};
    /// The heartbeat in its row, on the agent's clock: only a change of it means anything.
    UtcTime rowSeenAt{};

    /// For people: the id, or the host and the beginning of an id that is a long random number.
    [[nodiscard]] QString label() const;

    [[nodiscard]] bool isHeard(UtcTime now) const { return now - heardAt < kSilentAfter; }
};

/// Everything known about the agents, merged from their own HTTP answers and from their rows in the
/// store. A row counts as heard when its heartbeat moves, so a skewed clock cannot keep an agent
/// alive.
class Fleet final
{
public:
    void hear(const AgentStatus& status, UtcTime now);
    void hear(const std::vector<AgentStateRow>& rows, UtcTime now);

    /// By id.
    [[nodiscard]] const std::vector<AgentReport>& agents() const { return m_agents; }

    [[nodiscard]] std::vector<AgentReport> heard(UtcTime now) const;
    [[nodiscard]] std::vector<AgentReport> silent(UtcTime now) const;

private:
    AgentReport& at(const std::string& id, bool& isNew);

    std::vector<AgentReport> m_agents;
};

} // namespace weir::model
