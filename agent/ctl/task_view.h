// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/style.h"
#include "agent/reports/task_report.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace weir::ctl {

/// One row a task type, for a terminal.
[[nodiscard]] std::vector<Line>
taskLines(const std::vector<reports::TaskReport>& tasks, std::size_t width);

/// {"task_type", "tasks", "calls", "shed", "failover_rate", "providers": {"baseten": {"attempts",
/// "success_rate"}}, "levels": {"L0": 12, …}, "cost_per_task_usd", "cost_per_task_before_usd",
/// "cost_change", "cost_unknown", "ttft_s": {"p50", "p95", "p99"}}. Rates and the change are shares
/// of 1; what is not known is null.
[[nodiscard]] nlohmann::ordered_json toJson(const reports::TaskReport& task);

} // namespace weir::ctl
