// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/sources.h"
#include "agent/fleet/gates.h"
#include "agent/proxy/runtime.h"
#include "common/model/config.h"

#include <map>
#include <vector>

namespace weir::run {

/// What only the proxy and the gates know of the routes.
[[nodiscard]] std::vector<admin::RouteGauge> routeGauges(
    const proxy::Runtime& runtime,
    const std::map<fleet::RouteStates::Key, fleet::GateGauge>& gates,
    UtcTime now);

/// What all gates of an agent with this configuration have in common.
[[nodiscard]] routing::GateParams gateParams(const Config& config);

} // namespace weir::run
