// SPDX-License-Identifier: Apache-2.0
#include "common/routing/task_cost.h"

#include "common/base/fixed_point.h"
#include "common/model/policy.h"

#include <algorithm>
#include <limits>

namespace weir::routing {

std::int64_t standardTaskCost(
    const PoolSummary& pool, const RouteFigures& route, const std::optional<Price>& price)
{
    if (!price || pool.taskInputTokens + pool.taskOutputTokens <= 0) return 0;
    constexpr Int128 kOne = kPpm;
    constexpr std::int64_t kPicoPerNano = 1000;
    const Int128 hit = route.hit.usedPpm;
    const Int128 written = route.cacheWritePpm;
    // Pico-dollars per token, times 1e12.
    const Int128 input =
        (kOne - hit) * ((kOne - written) * price->input + written * price->cacheWrite) +
        hit * kOne * price->cachedInput;
    const Int128 tokens = static_cast<Int128>(pool.taskInputTokens) * route.taskInputPpm;
    const Int128 inputCost = tokens * input;
    const Int128 output = static_cast<Int128>(pool.taskOutputTokens) * route.taskOutputPpm *
                          price->output * kOne * kOne;
    const Int128 unit = kOne * kOne * kOne * kPicoPerNano;
    const Int128 nano = (inputCost + output + unit / 2) / unit;
    constexpr Int128 kMost = std::numeric_limits<std::int64_t>::max();
    // A price of nothing is known and still the cheapest.
    return static_cast<std::int64_t>(std::clamp<Int128>(nano, 1, kMost));
}

} // namespace weir::routing
