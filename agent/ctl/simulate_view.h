// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/style.h"
#include "common/sim/result.h"
#include "common/sim/scenario.h"

#include <cstddef>
#include <vector>

namespace weir::ctl {

/// What a run came to, for people: totals, one row a provider, changes of leader. Pure.
[[nodiscard]] std::vector<Line>
simulationLines(const sim::SimResult& result, const sim::Scenario& scenario, std::size_t width);

} // namespace weir::ctl
