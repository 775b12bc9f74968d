// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace weir::routing {

/// Requests per second of one kind: smoothed by 0.4 per report.
struct DemandMeter
{
    std::int64_t count = 0;
    std::int64_t milliRps = -1;

    /// Closes an interval of more than 0 ms.
    void settle(std::int64_t elapsedMs);
};

} // namespace weir::routing
