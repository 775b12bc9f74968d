// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/decide.h"
#include "common/routing/next_attempt.h"
#include "common/sim/eligibility.h"
#include "common/sim/live_task.h"
#include "common/sim/minute_watch.h"
#include "common/sim/recorder.h"
#include "common/sim/shared_gates.h"
#include "common/sim/sim_agent.h"
#include "common/sim/summary_job.h"
#include "common/sim/world.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace weir::sim {

/// Agents, what they share, and the summary job: the brain of common/routing in the places where
/// production runs it.
class Fleet final
{
public:
    static constexpr Micros kSummaryEvery = 300 * kSecond;
    static constexpr Micros kPublishDelay = 1 * kSecond;

    Fleet(
        const Scenario& scenario,
        const std::vector<PoolName>& pools,
        const Eligibility& eligibility,
        const Draws& draws,
        World& world,
        Micros from);

    /// Decides for the call that the task is at; true if the decision recomputes identically.
    [[nodiscard]] bool decide(LiveTask& task, Micros now);
    /// Somebody else has decided: only the demand is counted.
    void chosen(const LiveTask& task);

    void attemptStarted(LiveTask& task, Micros now);
    void firstOutput(const LiveTask& task, Micros now);
    void attemptEnded(LiveTask& task, std::int64_t costMicroUsd, Micros now);
    /// What the call does after the attempt, out of its agent's budget.
    [[nodiscard]] routing::NextStep
    nextStep(const LiveTask& task, const routing::Outlook& outlook, Micros now);
    [[nodiscard]] Micros retryDelay(const LiveTask& task) const;

    [[nodiscard]] Micros nextSync(std::uint32_t agent, Micros now) const;
    void sync(std::uint32_t index, Micros now);
    /// False while the job stands still.
    bool summarise(Micros now);
    /// The agents take the newest summary; what it changes.
    [[nodiscard]] std::vector<LeaderChange> adoptSummary();

    void restart(std::uint32_t agent, Micros now);

    void setRedis(RedisChange change);

    /// The operator writes into the configuration what he has been told of limits.
    void setQuotas(const std::vector<ShapeChange>& changes, Micros now);

    void setSummaryJob(bool runs) { m_job.set(runs); }

    /// Time to the first output from which an attempt is given up; 0 = nothing known.
    [[nodiscard]] Micros slowFrom(std::uint32_t pool, std::uint8_t route) const;
    /// What a route needs to be of use; 0 = nothing known.
    [[nodiscard]] Micros usefulTime(std::uint32_t pool, std::uint8_t route) const;

    [[nodiscard]] RouteMoment momentOf(std::uint32_t pool, std::uint32_t route) const;

    void endMinute(Micros now);
    void userFailed(const LiveTask& task);
    [[nodiscard]] std::vector<Incident> incidents() const;

    [[nodiscard]] SharedGates& gates() { return m_shared; }

private:
    [[nodiscard]] SimAgent newAgent(std::uint32_t index, Micros now) const;
    [[nodiscard]] EffectiveMode modeAt(Micros now) const;
    void fill(const LiveTask& task, Micros now);
    void countDemand(const LiveTask& task);
    void noteLocal(SimAgent& agent, Micros now);
    /// Milliseconds of the gates' own clock, whose origin is free: the scenario's start.
    [[nodiscard]] static std::int64_t gateMs(Micros at);
    [[nodiscard]] routing::AgentGate* gateOf(const LiveTask& task);
    [[nodiscard]] CallFact
    factOf(const LiveTask& task, std::int64_t costMicroUsd, Micros now) const;

    const Scenario& m_scenario;
    const std::vector<PoolName>& m_pools;
    const Eligibility& m_eligibility;
    Draws m_draws;
    World& m_world;
    Micros m_from;
    SharedGates m_shared;
    SummaryJob m_job;
    MinuteWatch m_watch;
    std::vector<SimAgent> m_agents;
    /// What agents go by.
    std::shared_ptr<const Published> m_current;
    std::vector<DecisionInput> m_inputs; ///< by model
    DecisionInput* m_input = nullptr;
    std::uint64_t m_decisions = 0;
};

} // namespace weir::sim
