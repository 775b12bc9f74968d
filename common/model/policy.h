// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/settings.h"

#include <cstdint>

namespace weir {

/// 1,000,000 ppm = 1. All shares, probabilities and factors of the brain are integers of this unit.
inline constexpr std::int64_t kPpm = 1'000'000;

enum class Objective : std::uint8_t { Score, RoutingCost };

/// The settings as integers: what `decide` and the planner go by, and what a saved decision keeps.
/// Meanings and ranges: `settingSpecs()`; contract section 5.
struct RoutingPolicy
{
    Objective objective = Objective::Score;
    std::int64_t costWeightPpm = 700'000;
    std::int64_t speedWeightPpm = 300'000;
    std::int64_t slowFactorPpm = 3'000'000;
    std::int64_t switchMarginPpm = 50'000;
    std::int64_t explorationSharePpm = 50'000;
    std::int64_t explorationCapPpm = 200'000;
    std::int64_t pinMs = 300'000;
    std::int64_t maxPremiumPpm = 2'000'000;
    std::int64_t settingsVersion = 0;

    bool operator==(const RoutingPolicy&) const = default;
};

/// Rounded to the nearest ppm.
[[nodiscard]] RoutingPolicy policyOf(const RoutingSettings& settings);

} // namespace weir
