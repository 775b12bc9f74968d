// SPDX-License-Identifier: Apache-2.0
#include "common/sim/minute_watch.h"

#include <algorithm>
#include <utility>

namespace weir::sim {

MinuteWatch::MinuteWatch(const Scenario& scenario, const std::vector<PoolName>& pools)
    : m_scenario(scenario)
    , m_pools(pools)
{
    for (const PoolName& pool : pools)
        m_rows.emplace_back(scenario.models[pool.model].routes.size());
}

void MinuteWatch::count(const CallFact& fact)
{
    routing::countCall(m_rows[fact.pool][fact.route], fact);
}

void MinuteWatch::userFailed(std::uint32_t pool, std::uint32_t route)
{
    ++m_rows[pool][route].userFailures;
}

void MinuteWatch::leaderChanged(const LeaderChange& change)
{
    const PoolName& pool = m_pools[change.pool];
    m_changes.push_back(
        {m_scenario.models[pool.model].name, pool.taskType, change.from, change.to, change.cause});
}

void MinuteWatch::localAgents(std::int64_t agents)
{
    m_fleet.localAgents = std::max(m_fleet.localAgents, agents);
}

void MinuteWatch::endMinute(
    std::int64_t endMs, std::int64_t gateMs, std::int64_t summaryAgeMs, SharedGates& gates)
{
    routing::MinuteFacts facts;
    facts.startMs = endMs - routing::kMinuteMs;
    for (std::size_t pool = 0; pool < m_rows.size(); ++pool) {
        const ScenarioModel& model = m_scenario.models[m_pools[pool].model];
        for (std::size_t route = 0; route < m_rows[pool].size(); ++route) {
            routing::RouteMinute row = std::exchange(m_rows[pool][route], {});
            if (row.calls == 0) continue;
            row.model = model.name;
            row.taskType = m_pools[pool].taskType;
            row.provider = model.routes[route].provider;
            facts.routes.push_back(std::move(row));
        }
    }
    gates.takeMinute(m_scenario, gateMs, facts);
    facts.leaderChanges = std::exchange(m_changes, {});
    facts.fleet = std::exchange(m_fleet, {});
    facts.fleet.summaryAgeMs = summaryAgeMs;
    facts.fleet.agents = m_scenario.agents;
    static_cast<void>(m_book.advance(facts));
}

std::vector<Incident> MinuteWatch::incidents(std::int64_t fromMs) const
{
    std::vector<Incident> incidents = m_book.all();
    std::erase_if(incidents, [fromMs](const Incident& each) { return each.onsetMs < fromMs; });
    return incidents;
}

} // namespace weir::sim
