// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/gate_view.h"
#include "common/model/policy.h"
#include "common/model/price.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::routing {

/// What the summary job knows of a route besides its calls: configuration, settings, gate.
struct RouteSetup
{
    std::string provider;
    std::optional<Price> price;
    /// From 0, unique in the model.
    std::uint16_t fixedPosition = 0;
    bool enabled = true;
    /// The operator's `score_bias` (500,000 to 1,500,000).
    std::int64_t biasPpm = kPpm;
    /// R is above the sampling floor.
    bool aboveFloor = true;
    BreakerState breaker = BreakerState::Closed;
    HoldKind hold = HoldKind::None;
    /// What it is known to bear in thousandths of a request per second: the learned cap, or the
    /// rate after a recent cut; -1 = no limit was ever met.
    std::int64_t limitMilliRps = -1;

    bool operator==(const RouteSetup&) const = default;
};

/// One (model, task type) with all routes of the model in the order of the configuration.
struct PoolSetup
{
    std::string model;
    std::string taskType;
    /// Demand of the whole model, which the limits of its routes stand against.
    std::int64_t demandMilliRps = 0;
    /// Time between summaries, which ramps are counted in.
    std::int64_t intervalMs = 300'000;
    std::vector<RouteSetup> routes;

    bool operator==(const PoolSetup&) const = default;
};

} // namespace weir::routing
