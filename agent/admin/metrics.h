// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/live_stats.h"
#include "agent/admin/sources.h"
#include "common/model/status.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weir::admin {

inline constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

/// The page `/metrics`, in Prometheus' text format 0.0.4. `lostRows` counts the attempts that the
/// ledger could not take. Series that nobody can fill are left out, never 0.
[[nodiscard]] std::string metricsText(
    const AgentStatus& status,
    const std::map<RouteKey, RouteTotals>& totals,
    const std::vector<RouteGauge>& gauges,
    std::int64_t lostRows);

} // namespace weir::admin
