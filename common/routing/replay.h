// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/saved_decision.h"
#include "common/model/summary.h"

#include <cstdint>
#include <string>
#include <vector>

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

/// What the planner would have made of the pool had this policy been in force long enough for the
/// traffic to have moved. Who led when the summary was made keeps the lead within the margin.
[[nodiscard]] PoolSummary
planUnder(const PoolSummary& saved, const RoutingPolicy& policy, std::int64_t nowMs);

/// What the same request would have got in adaptive mode under this policy; `pool` is one that was
/// planned under it.
[[nodiscard]] DecisionRecord decideUnder(
    const DecisionRecord& record,
    const PoolSummary* pool,
    const std::vector<std::string>& providers,
    const RoutingPolicy& policy);

/// What deciding again makes otherwise, one sentence each; empty where `replays`.
[[nodiscard]] std::vector<std::string> differences(
    const DecisionRecord& record, const Decision& again, const std::vector<std::string>& providers);

} // namespace weir::routing
