// SPDX-License-Identifier: Apache-2.0
#include "common/routing/demand_meter.h"

#include <algorithm>

namespace weir::routing {

void DemandMeter::settle(std::int64_t elapsedMs)
{
    const std::int64_t now = std::min<std::int64_t>(count, 1'000'000) * 1'000'000 / elapsedMs;
    milliRps = milliRps < 0 ? now : (4 * now + 6 * milliRps) / 10;
    count = 0;
}

} // namespace weir::routing
