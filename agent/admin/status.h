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

} // namespace weir::admin
