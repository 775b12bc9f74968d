// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/style.h"
#include "common/model/status.h"

#include <cstddef>
#include <vector>

namespace weir::ctl {

/// What a full failover of each route would take, under its model: what `weirctl capacity` prints.
[[nodiscard]] std::vector<Line> capacityLines(const AgentStatus& status, std::size_t width);

} // namespace weir::ctl
