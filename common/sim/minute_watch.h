// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/incident_book.h"
#include "common/routing/minute_facts_builder.h"
#include "common/sim/result.h"
#include "common/sim/scenario.h"
#include "common/sim/shared_gates.h"

#include <cstdint>
#include <vector>

namespace weir::sim {

/// Gathers each minute what incidents are made of, and has them found.
class MinuteWatch final
{
public:
    MinuteWatch(const Scenario& scenario, const std::vector<PoolName>& pools);

    void count(const CallFact& fact);
    /// A call failed for its caller after an attempt there.
    void userFailed(std::uint32_t pool, std::uint32_t route);
    void leaderChanged(const LeaderChange& change);

    void gatesEmptied() { m_fleet.gatesEmptied = true; }

    /// So many agents have had no answer of the shared gates for ten seconds.
    void localAgents(std::int64_t agents);

    /// `gateMs`: the same moment on the clock of the gates.
    void endMinute(
        std::int64_t endMs, std::int64_t gateMs, std::int64_t summaryAgeMs, SharedGates& gates);

    /// Those that began at or after `fromMs`.
    [[nodiscard]] std::vector<Incident> incidents(std::int64_t fromMs) const;

private:
    const Scenario& m_scenario;
    const std::vector<PoolName>& m_pools;
    routing::IncidentBook m_book;
    /// By pool and route.
    std::vector<std::vector<routing::RouteMinute>> m_rows;
    std::vector<routing::LeaderChange> m_changes;
    routing::FleetMinute m_fleet;
};

} // namespace weir::sim
