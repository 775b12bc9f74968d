// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/sim/event_queue.h"
#include "common/sim/fleet.h"
#include "common/sim/live_task.h"
#include "common/sim/oracle.h"
#include "common/sim/recorder.h"
#include "common/sim/traffic.h"
#include "common/sim/world.h"

#include <optional>
#include <vector>

namespace weir::sim {

/// Where a scenario has a history, its last hour has the whole traffic and all agents, so that
/// rates and caches are as they would be; the days before are thinned, and one agent is enough for
/// them.
inline constexpr Micros kWholeBefore = 60 * kMinute;

/// One run of a scenario: the clients, what they ask, and what becomes of it. Arrivals end with the
/// scenario; tasks that have begun go on to their end, so that every policy serves the same calls.
class Simulation final
{
public:
    explicit Simulation(const Scenario& scenario);

    [[nodiscard]] SimResult run();

private:
    void begin();
    void handle(const Event& event);
    void apply(const ScenarioEvent& event);
    void endMinute();

    void arrive(std::uint32_t source);
    void startCall(std::uint32_t slot);
    /// Goes down the ladder from the step that the task is at, to the first that takes the call.
    void descend(std::uint32_t slot);
    void turnAway(std::uint32_t slot, routing::RequestEnd why);
    void decide(LiveTask& task);
    void startAttempt(std::uint32_t slot);
    void beginOutput(std::uint32_t slot);
    void endAttempt(std::uint32_t slot);
    void endCall(std::uint32_t slot, Outcome outcome);
    void tellLadder(const LiveTask& task, routing::RequestEnd end);

    [[nodiscard]] Ask askOf(const LiveTask& task, std::uint8_t route) const;
    void settleAttempt(LiveTask& task) const;
    [[nodiscard]] Micros patience(const LiveTask& task) const;
    [[nodiscard]] bool hasNext(const LiveTask& task) const;
    [[nodiscard]] bool hasBelow(const LiveTask& task) const;
    [[nodiscard]] const std::vector<ScenarioRung>& ladderOf(const LiveTask& task) const;
    [[nodiscard]] MayServe mayServe(const LiveTask& task) const;
    [[nodiscard]] routing::Outlook outlookOf(const LiveTask& task) const;
    void record(const LiveTask& task, std::int64_t costMicroUsd);
    [[nodiscard]] std::size_t modelOf(const LiveTask& task) const;
    [[nodiscard]] std::uint32_t takeSlot();

    const Scenario& m_scenario;
    Draws m_draws;
    World m_world;
    Eligibility m_eligibility;
    Recorder m_recorder;
    Fleet m_fleet;
    Oracle m_oracle;
    EventQueue m_queue;
    Micros m_now = 0;
    /// By stream and step of its ladder.
    std::vector<std::vector<std::uint32_t>> m_poolOf;
    std::vector<Arrivals> m_arrivals;
    /// The next task of each of these.
    std::vector<std::optional<TaskPlan>> m_next;
    std::vector<LiveTask> m_tasks;
    std::vector<std::uint32_t> m_freeSlots;
    std::uint64_t m_taskNumber = 0;
};

/// Runs the scenario to its end. The same scenario gives the same result, always and everywhere.
[[nodiscard]] SimResult simulate(const Scenario& scenario);

} // namespace weir::sim
