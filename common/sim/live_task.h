// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/decision.h"
#include "common/routing/next_attempt.h"
#include "common/sim/route_world.h"
#include "common/sim/traffic.h"

#include <cstdint>
#include <optional>

namespace weir::sim {

/// The attempt that a call is at.
struct LiveAttempt
{
    std::uint8_t route = 0;
    Micros startedAt = 0;
    Answer answer;
    /// What it comes to, and when; known from the start, but nobody looks before.
    Outcome outcome = Outcome::Ok;
    Micros endsAt = 0;
    bool explored = false;
    bool isProbe = false;
    /// Of the agent that sent it.
    std::uint32_t life = 0;
};

/// A task from its arrival to the end of its last call: one conversation, one call at a time.
struct LiveTask
{
    TaskPlan plan;
    /// The step of its stream's ladder that the call is at, and that step's pool.
    std::uint32_t rung = 0;
    std::uint32_t pool = 0;
    std::uint64_t number = 0;
    /// Belongs to the scenario, not to what went before.
    bool counts = true;
    std::uint32_t call = 0;
    CallPlan callPlan;
    Micros callStartedAt = 0;
    Decision decision;
    /// Batch work that gives way at this step.
    bool isShed = false;
    /// A sound step below serves better.
    bool isPassedOver = false;
    /// Exploration had put the conversation where its pin is.
    bool pinExplored = false;
    /// Index into the decision's candidates.
    std::uint32_t candidate = 0;
    routing::AttemptLog log;
    LiveAttempt attempt;
    /// Who answered the conversation last, a route of which pool, and when: what is in whose cache.
    std::optional<std::uint8_t> servedBy;
    std::uint32_t servedPool = 0;
    Micros servedAt = 0;

    /// The same, where it is a route of the pool that the call is at.
    [[nodiscard]] std::optional<std::uint8_t> servedHere() const
    {
        return servedPool == pool ? servedBy : std::nullopt;
    }
};

} // namespace weir::sim
