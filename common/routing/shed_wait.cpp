// SPDX-License-Identifier: Apache-2.0
#include "common/routing/shed_wait.h"

#include "common/routing/philox.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::int64_t kLeastMs = 1'000;
constexpr std::int64_t kMostMs = 300'000;

} // namespace

std::int64_t shedWaitMs(const DecisionInput& input, const Decision& decision)
{
    std::int64_t soonest = kMostMs;
    for (std::size_t i = 0; i < input.routes.size(); ++i) {
        if ((decision.eligibleMask >> i & 1U) == 0) continue;
        soonest = std::min(soonest, input.routes[i].gate.recoversInMs);
    }
    soonest = std::max(soonest, kLeastMs);
    const Coin coin(input.seed, input.requestKey);
    const auto spread = static_cast<std::uint32_t>(soonest);
    return std::min(soonest + pick(coin.draw(Purpose::Jitter, 1), spread), kMostMs);
}

} // namespace weir::routing
