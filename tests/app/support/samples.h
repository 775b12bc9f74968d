// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/clock.h"
#include "common/model/settings.h"
#include "common/model/status.h"
#include "common/model/store_rows.h"

#include <string>
#include <vector>

namespace weir::test {

/// 2026-11-30T10:15:00Z: where every sample stands in time.
[[nodiscard]] UtcTime sampleTime();

/// A wall clock that the test turns.
class HandClock final
{
public:
    [[nodiscard]] UtcTime now() const { return m_now; }

    void advance(Duration by)
    {
        m_now += std::chrono::duration_cast<std::chrono::milliseconds>(by);
    }

    /// Refers to this object.
    [[nodiscard]] model::Clock clock()
    {
        return [this] { return m_now; };
    }

private:
    UtcTime m_now = sampleTime();
};

/// agent-1 in fixed order: baseten serves, fireworks a little, coreweave nothing.
[[nodiscard]] AgentStatus sampleStatus();

/// The same with baseten benched after 429s and failing, and an alert about coreweave's key.
[[nodiscard]] AgentStatus troubledStatus();

/// Row of an agent that runs `mode` by switch `version`, heard at `seenAt`.
[[nodiscard]] AgentStateRow
agentRow(const std::string& id, EffectiveMode mode, std::int64_t version, UtcTime seenAt);

/// An hour of ten-second slices up to `sampleTime()`, with a storm of 429s in the last quarter.
[[nodiscard]] std::vector<RouteSlice> sampleSlices();

[[nodiscard]] RoutingSwitch
switchRow(Mode mode, std::int64_t version, const std::string& by, UtcTime at);

} // namespace weir::test
