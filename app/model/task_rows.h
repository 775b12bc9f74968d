// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/reports/task_report.h"
#include "agent/store/history_query.h"
#include "app/model/bars.h"
#include "app/model/grid.h"

#include <span>
#include <string>
#include <vector>

namespace weir::model {

/// Figures of fewer than these say little: they are grey, and say of how many they are.
inline constexpr std::int64_t kThin = 30;

[[nodiscard]] std::vector<GridColumn> taskColumns();
/// By cost, the dearest first; the key is the task type.
[[nodiscard]] std::vector<GridRow> taskRows(std::span<const reports::TaskReport> reports);

/// `points` are of whole steps; `providers` are theirs and may be more.
[[nodiscard]] CostBars costBars(
    const Span& range,
    Ms step,
    std::span<const store::HistoryPoint> points,
    std::vector<std::string> providers);

[[nodiscard]] std::vector<GridColumn> providerColumns();
/// By cost, the dearest first; the key is the provider.
[[nodiscard]] std::vector<GridRow>
providerRows(const CostBars& bars, std::span<const store::HistoryPoint> points);

} // namespace weir::model
