// SPDX-License-Identifier: Apache-2.0
#include "common/routing/demand_meter.h"

#include <algorithm>

namespace weir::routing {

void DemandMeter::settle(std::int64_t elapsedMs)
{
    const std::int64_t now = std::min<std::int64_t>(count, 1'000'000) * 1'000'000 / elapsedMs;
    const std::int64_t weight = 400 * std::min<std::int64_t>(elapsedMs, 1000) / 1000;
    milliRps = milliRps < 0 ? now : milliRps + (now - milliRps) * weight / 1000;
    count = 0;
}

} // namespace weir::routing
