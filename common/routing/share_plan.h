// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/summary.h"

#include <cstdint>

namespace weir::routing {

/// Shares of the traffic that does not explore, and the ramp towards them (routing.md section 8).
/// Routes within 5 % of the leader share by how near they are; nobody is planned above 90 % of what
/// it is known to bear. With summaries every five minutes a promotion by score at most doubles a
/// share in each, a route that failed hands over in 90 seconds, and one that lost the lead through
/// no score returns in 120. All shares are 0 where nothing is trusted. They sum to 1,000,000
/// otherwise, at both ends.
void planShares(const PoolSummary* previous, PoolSummary& next, std::int64_t nowMs);

} // namespace weir::routing
