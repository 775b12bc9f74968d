// SPDX-License-Identifier: Apache-2.0
#include "common/routing/patience.h"
#include "common/sim/fleet.h"

#include <algorithm>

namespace weir::sim {

/// About once a second, 10 % more or less, so that agents do not come in step.
Micros Fleet::nextSync(std::uint32_t agent, Micros now) const
{
    const auto words = m_draws.block(DrawFor::Agent, agent, static_cast<std::uint64_t>(now), 0);
    const Micros jitter = static_cast<Micros>(uniform(words[0]) * 200'000.0) - 100'000;
    return now + kSecond + jitter;
}

void Fleet::sync(std::uint32_t index, Micros now)
{
    SimAgent& agent = m_agents[index];
    const std::int64_t nowMs = gateMs(now);
    const std::int64_t elapsedMs = std::max<Micros>(now - agent.syncedAt, 1000) / 1000;
    agent.syncedAt = now;
    for (std::size_t model = 0; model < agent.gates.size(); ++model) {
        agent.demand[model].settle(elapsedMs);
        for (std::size_t route = 0; route < agent.gates[model].size(); ++route) {
            if (!m_world.at({model, route}).isKnown(now)) continue;
            routing::AgentGate& gate = agent.gates[model][route];
            const routing::GateReport report = gate.report(nowMs, agent.demand[model].milliRps);
            if (m_shared.isUp())
                gate.apply(m_shared.exchange({model, route}, report, nowMs), nowMs);
            m_shared.note({model, route}, gate.takeLocalEvents());
        }
    }
    noteLocal(agent, now);
}

void Fleet::noteLocal(SimAgent& agent, Micros now)
{
    const bool local = agent.gates[0][0].isLocal(gateMs(now));
    if (!local) agent.localSince = -1;
    if (local && agent.localSince < 0) agent.localSince = now;
    const auto isLong = [now](const SimAgent& each) {
        return each.localSince >= 0 && now - each.localSince >= 10 * kSecond;
    };
    if (local) m_watch.localAgents(std::ranges::count_if(m_agents, isLong));
}

void Fleet::setQuotas(const std::vector<ShapeChange>& changes, Micros now)
{
    for (const ShapeChange& change : changes) {
        const Quota quota = quotaOf(change.shape);
        if (quota == m_shared.paramsOf(change.at).quota) continue;
        m_shared.setQuota(change.at, quota);
        for (SimAgent& agent : m_agents)
            agent.gates[change.at.model][change.at.route].setQuota(quota, gateMs(now));
    }
}

void Fleet::setRedis(RedisChange change)
{
    m_shared.set(change);
    if (change == RedisChange::Empty) m_watch.gatesEmptied();
}

void Fleet::userFailed(const LiveTask& task)
{
    m_watch.userFailed(task.pool, task.attempt.route);
}

void Fleet::endMinute(Micros now)
{
    const std::int64_t nowMs = epochMsOf(m_scenario, now);
    const std::int64_t age = m_current ? nowMs - m_current->summary.computedAtMs : -1;
    m_watch.endMinute(nowMs, gateMs(now), age, m_shared);
}

std::vector<Incident> Fleet::incidents() const
{
    return m_watch.incidents(m_scenario.startEpochMs);
}

bool Fleet::summarise(Micros now)
{
    if (!m_job.runs()) return false;
    m_job.run(m_world, m_shared, now, gateMs(now));
    return true;
}

std::vector<LeaderChange> Fleet::adoptSummary()
{
    const std::shared_ptr<const Published> next = m_job.latest();
    std::vector<LeaderChange> changes;
    for (std::uint32_t pool = 0; pool < m_pools.size(); ++pool) {
        if (!next->views[pool].known()) continue;
        const PoolSummary& summary = next->views[pool].pool();
        const bool had = m_current && m_current->views[pool].known();
        const std::string before = had ? m_current->views[pool].pool().leader : std::string{};
        if (summary.leader == before) continue;
        changes.push_back(
            {(next->summary.computedAtMs - m_scenario.startEpochMs) * 1000,
             pool,
             before,
             summary.leader,
             summary.leaderCause});
        m_watch.leaderChanged(changes.back());
    }
    m_current = next;
    return changes;
}

Micros Fleet::slowFrom(std::uint32_t pool, std::uint8_t route) const
{
    if (!m_current || m_current->fastestUs[pool] <= 0) return 0;
    const RouteFigures* const figures = m_current->views[pool].figures(route);
    const RoutingPolicy& policy = m_inputs[m_pools[pool].model].policy;
    return routing::ttftLimitUs(
        figures == nullptr ? RouteFigures{} : *figures, m_current->fastestUs[pool], policy);
}

Micros Fleet::usefulTime(std::uint32_t pool, std::uint8_t route) const
{
    return m_current ? routing::usefulUs(m_current->views[pool], route, true) : 0;
}

RouteMoment Fleet::momentOf(std::uint32_t pool, std::uint32_t route) const
{
    RouteMoment moment;
    m_shared.describe({m_pools[pool].model, route}, moment);
    if (!m_current) return moment;
    if (const RouteFigures* const figures = m_current->views[pool].figures(route)) {
        moment.rank = figures->rank;
        moment.score = figures->score;
    }
    return moment;
}

} // namespace weir::sim
