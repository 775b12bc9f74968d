// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/live_stats.h"
#include "agent/admin/sources.h"
#include "common/base/time.h"
#include "common/model/status.h"

namespace weir::admin {

/// A moment on both time lines.
struct Now
{
    Instant instant{};
    UtcTime utc{};
};

/// What `/admin/v1/status` tells: the configured routes in their configured order, each with its
/// last minute. Fields that no part of the agent knows yet stay absent.
[[nodiscard]] AgentStatus buildStatus(const Sources& sources, const LiveStats& stats, Now now);

/// The providers of a model's enabled routes in the order of the fixed mode: a route's fixed
/// position from the settings goes before its place in `fixed_order`; where two claim one place,
/// the settings' comes first.
[[nodiscard]] std::vector<std::string>
fixedOrder(const ModelConfig& model, const std::vector<RouteSettings>& settings);

} // namespace weir::admin
