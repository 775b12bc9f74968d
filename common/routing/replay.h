// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/saved_decision.h"
#include "common/model/summary.h"

#include <string>

namespace weir::routing {

/// Decides again from what was saved. `pool` is the one of the record's summary; null where it had
/// none (`DecisionRecord::snapshotId` is empty) or knows neither the task type nor `default`.
[[nodiscard]] Decision decideAgain(
    const DecisionRecord& record,
    const PoolSummary* pool,
    const std::vector<std::string>& providers);

/// True where deciding again gives the same record to the byte (routing.md section 0).
[[nodiscard]] bool replays(
    const DecisionRecord& record,
    const PoolSummary* pool,
    const std::vector<std::string>& providers);

} // namespace weir::routing
