// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/outcome.h"
#include "common/sim/result.h"
#include "common/sim/scenario.h"

#include <cstdint>
#include <vector>

namespace weir::sim {

struct AttemptSeen
{
    std::uint32_t pool = 0;
    std::uint32_t route = 0;
    Micros startedAt = 0;
    Outcome outcome = Outcome::Ok;
    /// -1 = no output began.
    Micros firstOutput = -1;
    std::int64_t costMicroUsd = 0;
};

/// Counts what happens from t = 0 on, and makes the result of it.
class Recorder final
{
public:
    Recorder(const Scenario& scenario, std::vector<PoolName> pools);

    void taskArrived() { ++m_totals.tasks; }

    void taskEnded(Micros took) { m_taskTimes.push_back(took); }

    void callArrived() { ++m_totals.calls; }

    void callFailed(bool singleShot);

    void callerFailed() { ++m_totals.callerErrors; }

    void callDropped() { ++m_totals.dropped; }

    /// Batch work that was put off.
    void callShed() { ++m_totals.shed; }

    void callEnded(const routing::LadderFact& fact) { m_ladder.count(fact); }

    void decided(bool replaysAlike);
    void attemptStarted(std::uint32_t pool, std::uint32_t route, Micros at, bool explored);
    void attemptEnded(const AttemptSeen& attempt);
    void minuteEnded(
        std::int64_t minute, std::uint32_t pool, std::uint32_t route, const RouteMoment& moment);

    void leaderChanged(const LeaderChange& change) { m_leaderChanges.push_back(change); }

    [[nodiscard]] const std::vector<PoolName>& pools() const { return m_pools; }

    [[nodiscard]] SimResult
    finish(const std::vector<Incident>& incidents, std::vector<std::vector<GateCounts>> gates);

private:
    struct Cell
    {
        MinuteRow row;
        bool known = false;
    };

    [[nodiscard]] Cell* cellAt(std::uint32_t pool, std::uint32_t route, Micros at);
    [[nodiscard]] ProviderTotals& totalsOf(std::uint32_t pool, std::uint32_t route);
    void addMedians();

    const Scenario& m_scenario;
    std::vector<PoolName> m_pools;
    std::int64_t m_minutes;
    /// Of each pool, its first cell in a minute; the last is the number of cells in one.
    std::vector<std::size_t> m_offsets;
    std::vector<Cell> m_cells;
    /// (cell, time to first output)
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_ttfts;
    std::vector<Micros> m_taskTimes;
    Totals m_totals;
    routing::DegradationTally m_ladder;
    std::vector<LeaderChange> m_leaderChanges;
};

/// The q-quantile by rank; 0 where empty. Reorders `values`.
[[nodiscard]] Micros quantileOf(std::vector<Micros>& values, double q);

} // namespace weir::sim
