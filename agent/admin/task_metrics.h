// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/task_stats.h"
#include "common/routing/budget_book.h"

#include <string>
#include <vector>

namespace weir::admin {

/// The part of `/metrics` about requests, task types and error budgets, in Prometheus' text format
/// 0.0.4.
[[nodiscard]] std::string
taskMetricsText(const RequestTotals& totals, const std::vector<routing::BudgetStatus>& budgets);

} // namespace weir::admin
