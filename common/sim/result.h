// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/gate_view.h"
#include "common/model/incident.h"
#include "common/model/summary.h"
#include "common/routing/degradation_tally.h"
#include "common/sim/route_moment.h"
#include "common/sim/scenario.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::sim {

/// What a run came to (contract section 8).

struct ProviderTotals
{
    std::string provider;
    /// Attempts.
    std::uint64_t calls = 0;
    double share = 0.0;
    /// Neither 429 nor neutral.
    std::uint64_t failures = 0;
    std::uint64_t rateLimited = 0;
    std::int64_t costMicroUsd = 0;
};

struct Totals
{
    std::uint64_t tasks = 0;
    std::uint64_t calls = 0;
    std::uint64_t userFailures = 0;
    /// Of `userFailures`, those of single-shot calls: nobody else may serve them.
    std::uint64_t singleShotFailures = 0;
    std::uint64_t callerErrors = 0;
    std::uint64_t dropped = 0;
    /// Batch calls that were put off, as there was no room for them.
    std::uint64_t shed = 0;
    std::int64_t costMicroUsd = 0;
    Micros taskTimeP50 = 0;
    Micros taskTimeP95 = 0;
    std::uint64_t wasted429 = 0;
    std::uint64_t decisions = 0;
    std::uint64_t replayMismatches = 0;
    std::vector<ProviderTotals> byProvider;
};

/// A (model, task type): what the rows of a run are about.
struct PoolName
{
    std::size_t model = 0;
    std::string taskType;
};

/// One route of one pool in one minute.
struct MinuteRow
{
    std::int64_t minute = 0;
    std::uint32_t pool = 0;
    std::uint32_t route = 0;
    std::uint32_t calls = 0;
    double share = 0.0;
    std::uint32_t failures = 0;
    std::uint32_t rateLimited = 0;
    std::uint32_t explored = 0;
    /// Those in force at the minute's end.
    std::int64_t permittedMilliRps = 0;
    std::int64_t capMilliRps = -1;
    BreakerState breaker = BreakerState::Closed;
    HoldKind hold = HoldKind::None;
    /// 0 before the first summary.
    int rank = 0;
    /// In 1e-9.
    std::int64_t score = 0;
    /// -1 = no output began.
    Micros ttftP50 = -1;
};

struct LeaderChange
{
    Micros at = 0;
    std::uint32_t pool = 0;
    /// Empty = nobody led before.
    std::string from;
    std::string to;
    LeaderCause cause = LeaderCause::None;
};

/// What became of the ladder, over all and minute by minute.
struct Degradation
{
    DegradationReport report;
    std::vector<routing::LadderMinute> minutes;
};

struct SimResult
{
    std::vector<PoolName> pools;
    Totals totals;
    /// By minute, pool and route.
    std::vector<MinuteRow> minutes;
    std::vector<Incident> incidents;
    std::vector<LeaderChange> leaderChanges;
    /// By model and route.
    std::vector<std::vector<GateCounts>> gates;
    /// Only of a scenario with levels, regions, terms or batch work.
    std::optional<Degradation> degradation;
};

} // namespace weir::sim
