// SPDX-License-Identifier: Apache-2.0
#include "common/routing/patience.h"

#include "common/base/fixed_point.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::int64_t kAboveSlowPpm = 200'000;

} // namespace

std::int64_t
ttftLimitUs(const RouteFigures& figures, std::int64_t fastestUs, const RoutingPolicy& policy)
{
    const std::int64_t slow = mulDiv(fastestUs, policy.slowFactorPpm + kAboveSlowPpm, kPpm);
    return std::max(slow, figures.ttftP99Us * 3 / 2);
}

std::int64_t usefulUs(const PoolView& pool, std::size_t route, bool stream)
{
    const RouteFigures* const figures = pool.figures(route);
    if (figures == nullptr) return 0;
    if (stream || figures->milliTps.value <= 0) return figures->ttftP50Us;
    return figures->ttftP50Us +
           mulDiv(pool.pool().answerTokens, 500'000'000, figures->milliTps.value);
}

} // namespace weir::routing
