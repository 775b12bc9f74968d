// SPDX-License-Identifier: Apache-2.0
#include "common/model/policy.h"

#include <cmath>

namespace weir {
namespace {

std::int64_t scaled(const RoutingSettings& settings, std::string_view key, std::int64_t unit)
{
    return std::llround(settings.number(key) * static_cast<double>(unit));
}

} // namespace

RoutingPolicy policyOf(const RoutingSettings& settings)
{
    RoutingPolicy policy;
    policy.objective =
        settings.objective == "routing_cost" ? Objective::RoutingCost : Objective::Score;
    policy.costWeightPpm = scaled(settings, "cost_weight", kPpm);
    policy.speedWeightPpm = scaled(settings, "speed_weight", kPpm);
    policy.slowFactorPpm = scaled(settings, "slow_factor", kPpm);
    policy.switchMarginPpm = scaled(settings, "switch_margin", kPpm);
    policy.explorationSharePpm = scaled(settings, "exploration_share", kPpm);
    policy.explorationCapPpm = scaled(settings, "exploration_cap", kPpm);
    policy.pinMs = scaled(settings, "pin_seconds", 1000);
    policy.maxPremiumPpm = scaled(settings, "max_premium", kPpm);
    policy.settingsVersion = settings.version;
    return policy;
}

} // namespace weir
