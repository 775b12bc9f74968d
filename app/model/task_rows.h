// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/reports/task_report.h"
#include "agent/store/history_query.h"
#include "app/model/bars.h"
#include "app/model/grid.h"

#include <span>
#include <vector>

namespace weir::model {

/// Figures of fewer than these say little: they are grey, and say of how many they are.
inline constexpr std::int64_t kThin = 30;

[[nodiscard]] std::vector<GridColumn> taskColumns();
/// By cost, the dearest first; the key is the task type.
[[nodiscard]] std::vector<GridRow> taskRows(std::span<const reports::TaskReport> reports);

/// `points` are in order of their time, of whole steps, and none is before the range's first step.
[[nodiscard]] CostBars
costBars(const Span& range, Ms step, std::span<const store::HistoryPoint> points);

[[nodiscard]] std::vector<GridColumn> providerColumns();
/// By cost, the dearest first; the key is the provider.
[[nodiscard]] std::vector<GridRow>
providerRows(const CostBars& bars, std::span<const store::HistoryPoint> points);

} // namespace weir::model
