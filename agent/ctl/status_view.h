// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/style.h"
#include "agent/ctl/table.h"
#include "common/model/status.h"

#include <optional>
#include <string>
#include <vector>

namespace weir::ctl {

/// An agent's status as lines of a terminal. Pure: ages are counted on the agent's own clock, to
/// the moment of its snapshot, so nothing depends on this machine's.

/// What the reader of a live view must know of the view itself.
struct Freshness
{
    /// Seconds since the snapshot arrived.
    double ageS = 0.0;
    /// Why no newer one comes; empty while they come.
    std::string trouble;
};

/// Above this age a live snapshot is called stale: three of them are missing.
inline constexpr double kStaleAfterS = 3.0;

/// The mode as the agent runs it, whose word that is, and how old everything is.
[[nodiscard]] std::vector<Line> headerLines(const AgentStatus& status, std::size_t width);

/// Alerts, each on its line; empty where there are none.
[[nodiscard]] std::vector<Line> alertLines(const AgentStatus& status, std::size_t width);

/// Drills that run, each on its line; empty where there are none.
[[nodiscard]] std::vector<Line> drillStripLines(const AgentStatus& status, std::size_t width);

/// The agents of the fleet; empty where there is just this one.
[[nodiscard]] std::vector<Line> agentLines(const AgentStatus& status, std::size_t width);

/// One row a route, under its model.
[[nodiscard]] std::vector<Line> routeLines(const AgentStatus& status, std::size_t width);

/// All of it: what `weirctl status` prints.
[[nodiscard]] std::vector<Line> statusLines(const AgentStatus& status, std::size_t width);

/// What `weirctl top` shows: at most `height` lines, saying how many more there would be. Without a
/// status it says what it waits for.
[[nodiscard]] std::vector<Line> topLines(
    const std::optional<AgentStatus>& status,
    const Freshness& freshness,
    std::size_t width,
    std::size_t height);

} // namespace weir::ctl
