// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/rules.h"
#include "common/model/summary.h"
#include "common/routing/learner.h"
#include "common/routing/pool_setup.h"

#include <cstddef>
#include <cstdint>

namespace weir::routing {

/// When this summary is made, and the one before; and by which rules.
struct SummaryScene
{
    std::int64_t nowMs = 0;
    std::int64_t previousMs = 0;
    GuardingRules rules{};
};

/// The figures of pool `index` of the learner, without scores, leader and shares. `previous` is the
/// same pool in the summary before, null where there was none; routes are matched by provider.
[[nodiscard]] PoolSummary learnPool(
    const PoolSummary* previous,
    const Learner& learner,
    std::size_t index,
    const PoolSetup& setup,
    const SummaryScene& scene);

} // namespace weir::routing
