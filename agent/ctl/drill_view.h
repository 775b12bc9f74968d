// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/style.h"
#include "agent/store/drill_store.h"
#include "common/model/drill_report.h"

#include <string>
#include <vector>

namespace weir::ctl {

/// Drills as lines of a terminal. Pure.

/// "the breaker of glm-5.2/baseten is open", "30 % of the attempts on glm-5.2/baseten get a 429".
[[nodiscard]] std::string effectOf(const Drill& drill);

/// One row a drill.
[[nodiscard]] std::vector<Line>
drillLines(const std::vector<store::StoredDrill>& drills, UtcTime now, std::size_t width);

/// "12 s of 60 s: 120 requests, 0 failed, 80 touched, 0 spared".
[[nodiscard]] std::string progressOf(const Drill& drill, const DrillCounts& counts, UtcTime now);

/// Before, during and after beside each other, then what moved and how it ended.
[[nodiscard]] std::vector<Line>
reportLines(const DrillReport& report, const store::StoredDrill& stored, std::size_t width);

} // namespace weir::ctl
