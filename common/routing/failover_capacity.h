// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/failover_status.h"
#include "common/model/route_config.h"
#include "common/routing/demand_peaks.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weir::routing {

/// What one route is known to bear.
struct RouteLimits
{
    std::string provider;
    Quota quota;
    /// The cap that was learned, in thousandths of a request per second; -1 = none.
    std::int64_t capMilliRps = -1;
};

/// For each route of a model: if it fails wholly, what the others need against what they are known
/// to bear. "A full failover of a-eu needs 2.7 times the quota of b-eu" is a ratio of 2.7.
[[nodiscard]] std::vector<FailoverStatus>
failoverCapacity(const DemandPeaks::Peaks& peaks, std::span<const RouteLimits> routes);

/// The sentence for the person who should act on it; the ratio is of interactive work.
[[nodiscard]] std::string failoverShortText(const FailoverStatus& status);

} // namespace weir::routing
