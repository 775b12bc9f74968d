// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/style.h"
#include "common/model/status.h"

#include <cstddef>
#include <vector>

namespace weir::ctl {

/// A fleet as a table, one agent a row; those that are silent say for how long.
[[nodiscard]] std::vector<Line>
agentLines(const std::vector<AgentPresence>& agents, std::size_t width);

/// An agent that said nothing for so long is silent: stopped, cut off, or gone.
inline constexpr double kSilentS = 10.0;

} // namespace weir::ctl
