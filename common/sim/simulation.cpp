// SPDX-License-Identifier: Apache-2.0
#include "common/sim/simulation.h"

#include <algorithm>

namespace weir::sim {
namespace {

/// The pool of each stream's calls; streams of one model and task type share one.
std::vector<PoolName> poolsOf(const Scenario& scenario)
{
    std::vector<PoolName> pools;
    for (std::size_t model = 0; model < scenario.models.size(); ++model) {
        for (const TrafficStream& stream : scenario.traffic) {
            if (std::ranges::count(stream.ladder, model, &ScenarioRung::model) == 0) continue;
            const auto same = [&](const PoolName& pool) {
                return pool.model == model && pool.taskType == stream.taskType;
            };
            if (std::ranges::none_of(pools, same)) pools.push_back({model, stream.taskType});
        }
    }
    return pools;
}

/// Three days before, where history is asked for.
Micros historyFrom(const Scenario& scenario)
{
    return scenario.isWarm ? -3LL * 24 * 60 * kMinute : 0;
}

/// Of the days before the last hour so many tasks are enough to learn from.
constexpr double kThinTasksPerS = 0.1;

double thinningOf(const Scenario& scenario)
{
    double rate = 0.0;
    for (const TrafficStream& stream : scenario.traffic)
        rate += stream.tasksPerS;
    return rate <= kThinTasksPerS ? 1.0 : kThinTasksPerS / rate;
}

} // namespace

Simulation::Simulation(const Scenario& scenario)
    : m_scenario(scenario)
    , m_draws(scenario.seed)
    , m_world(scenario, m_draws)
    , m_eligibility(scenario)
    , m_recorder(scenario, poolsOf(scenario))
    , m_fleet(scenario, m_recorder.pools(), m_eligibility, m_draws, m_world, historyFrom(scenario))
    , m_oracle(scenario)
    , m_now(historyFrom(scenario))
{
}

void Simulation::begin()
{
    m_oracle.update(m_world);
    for (const TrafficStream& stream : m_scenario.traffic) {
        m_poolOf.emplace_back();
        for (const ScenarioRung& rung : stream.ladder) {
            const auto mine = [&](const PoolName& pool) {
                return pool.model == rung.model && pool.taskType == stream.taskType;
            };
            const auto found = std::ranges::find_if(m_recorder.pools(), mine);
            m_poolOf.back().push_back(
                static_cast<std::uint32_t>(found - m_recorder.pools().begin()));
        }
    }
    // Eras one after the other; what belongs to the scenario is the same with and without history.
    std::vector<Arrivals::Window> eras{{0, m_scenario.duration, 1.0, 0}};
    if (m_scenario.isWarm) {
        eras.push_back({m_now, -kWholeBefore, thinningOf(m_scenario), 1});
        eras.push_back({-kWholeBefore, 0, 1.0, 2});
    }
    for (std::uint32_t stream = 0; stream < m_scenario.traffic.size(); ++stream) {
        for (const Arrivals::Window& era : eras)
            m_arrivals.emplace_back(m_scenario, m_draws, stream, era);
    }
    for (std::size_t i = 0; i < m_arrivals.size(); ++i) {
        m_next.push_back(m_arrivals[i].next());
        if (m_next[i]) m_queue.add(m_next[i]->at, EventKind::Arrival, i);
    }
    for (std::size_t i = 0; i < m_scenario.events.size(); ++i) {
        if (m_scenario.events[i].at < m_scenario.duration)
            m_queue.add(m_scenario.events[i].at, EventKind::Scenario, i);
    }
    m_queue.add(m_now + kMinute, EventKind::MinuteEnd, 0);
    m_queue.add(m_now + Fleet::kSummaryEvery, EventKind::SummaryRun, 0);
    const auto begins = [this](std::uint32_t agent) {
        return agent == 0 ? m_now : std::max(m_now, -kWholeBefore);
    };
    for (std::uint32_t agent = 0; agent < m_scenario.agents; ++agent)
        m_queue.add(m_fleet.nextSync(agent, begins(agent)), EventKind::AgentSync, agent);
}

SimResult Simulation::run()
{
    begin();
    while (true) {
        const Event event = m_queue.take();
        const bool idle = m_tasks.size() == m_freeSlots.size();
        if (event.at > m_scenario.duration && idle) break;
        m_now = event.at;
        handle(event);
    }
    SimResult result = m_recorder.finish(m_fleet.incidents(), m_fleet.gates().counts());
    if (result.degradation)
        result.degradation->report.residencyViolations = m_world.residencyViolations();
    return result;
}

void Simulation::handle(const Event& event)
{
    switch (event.kind) {
    case EventKind::Arrival:
        return arrive(event.what);
    case EventKind::CallStart:
        return startCall(event.what);
    case EventKind::AttemptStart:
        return startAttempt(event.what);
    case EventKind::FirstOutput:
        return beginOutput(event.what);
    case EventKind::AttemptEnd:
        return endAttempt(event.what);
    case EventKind::AgentSync:
        m_fleet.sync(event.what, m_now);
        return m_queue.add(m_fleet.nextSync(event.what, m_now), EventKind::AgentSync, event.what);
    case EventKind::SummaryRun:
        if (m_fleet.summarise(m_now))
            m_queue.add(m_now + Fleet::kPublishDelay, EventKind::SummaryArrival, 0);
        return m_queue.add(m_now + Fleet::kSummaryEvery, EventKind::SummaryRun, 0);
    case EventKind::SummaryArrival:
        for (const LeaderChange& change : m_fleet.adoptSummary()) {
            if (change.at >= 0 && change.at <= m_scenario.duration)
                m_recorder.leaderChanged(change);
        }
        return;
    case EventKind::Scenario:
        return apply(m_scenario.events[event.what]);
    case EventKind::MinuteEnd:
        endMinute();
        return m_queue.add(m_now + kMinute, EventKind::MinuteEnd, 0);
    }
}

void Simulation::apply(const ScenarioEvent& event)
{
    m_world.apply(event);
    m_fleet.setQuotas(event.changes, m_now);
    if (!event.changes.empty()) m_oracle.update(m_world);
    if (event.agentRestart) m_fleet.restart(static_cast<std::uint32_t>(*event.agentRestart), m_now);
    if (event.redis) m_fleet.setRedis(*event.redis);
    if (event.summaryJobRuns) m_fleet.setSummaryJob(*event.summaryJobRuns);
}

void Simulation::endMinute()
{
    if (m_now > m_scenario.duration) return;
    m_fleet.endMinute(m_now);
    if (m_now == 0) m_fleet.gates().countAnew();
    if (m_now <= 0) return;
    const std::int64_t minute = m_now / kMinute - 1;
    const std::vector<PoolName>& pools = m_recorder.pools();
    for (std::uint32_t pool = 0; pool < pools.size(); ++pool) {
        for (std::uint32_t route = 0; route < m_world.routesOf(pools[pool].model); ++route) {
            RouteMoment moment = m_fleet.momentOf(pool, route);
            // At any moment of the minute.
            moment.known = m_world.at({pools[pool].model, route}).isKnown(m_now - 1);
            m_recorder.minuteEnded(minute, pool, route, moment);
        }
    }
}

SimResult simulate(const Scenario& scenario)
{
    return Simulation{scenario}.run();
}

} // namespace weir::sim
