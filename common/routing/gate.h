// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/gate_view.h"
#include "common/routing/gate_event.h"

#include <array>
#include <cstdint>
#include <vector>

namespace weir::routing {

/// What happened to the attempts of one route that were DISPATCHED in one 5-second bucket (cohorts;
/// routing.md section 4). Counts add up, whatever the order in which agents report them; an attempt
/// whose answer breaks later is taken back from `ok`, so a report may hold a count below zero.
struct Cohort
{
    /// Start of the bucket, milliseconds; a multiple of `kCohortMs` on the gate's own time line.
    std::int64_t startMs = 0;
    std::int32_t dispatched = 0;
    std::int32_t ok = 0;
    std::int32_t rateLimited = 0;
    /// Counts for the gate: overloaded, 5xx, reset, timeouts, malformed, broken streams.
    std::int32_t failed = 0;
    /// Counts for the breaker (the same), in halves: an answer of the wrong form counts one.
    std::int32_t breakerHalves = 0;
    std::int32_t creditRefused = 0;
    std::int32_t authRefused = 0;
    /// The provider does not know the model.
    std::int32_t misconfigured = 0;
    /// Ended without saying anything about the route: out of every ratio, as if never sent.
    std::int32_t neutral = 0;
    /// Bit i: a failure or a 429 among those dispatched in second i of the bucket.
    std::uint8_t failedSeconds = 0;

    bool operator==(const Cohort&) const = default;
};

inline constexpr std::int64_t kCohortMs = 5000;

/// One agent's message about one route: what changed since its last message that was answered.
struct GateReport
{
    std::uint32_t agent = 0;
    /// Rises with every message that carries something new; a message sent again keeps its number
    /// and is not counted twice. 0 = not numbered.
    std::int64_t sequence = 0;
    /// Demand by class, in thousandths of a request per second: denied ones included, smoothed.
    std::array<std::int64_t, kGateClasses> wantMilliRps{};
    /// The agent's demand for all routes of the model together.
    std::int64_t groupMilliRps = 0;
    std::int64_t sent = 0;
    /// What those will take and what earlier ones took beyond what was thought, input and output;
    /// below zero where it was less.
    std::int64_t tokens = 0;
    /// Probes that ended since, as the breaker asked for them.
    std::int32_t probesOk = 0;
    std::int32_t probesFailed = 0;
    /// Of this agent's, now.
    std::int32_t probesInFlight = 0;
    /// Longest hint of a Retry-After still running, in milliseconds from now; 0 = none.
    std::int64_t retryAfterMs = 0;
    /// First outputs since, and the time that they and the timeouts before output took together.
    std::int64_t answers = 0;
    std::int64_t ttftCount = 0;
    std::int64_t ttftSumMs = 0;
    std::vector<Cohort> cohorts{};
    /// What the agent last knew, so that a gate that lost its memory learns it back.
    std::int64_t knownMilliRps = -1;
    std::int64_t knownVersion = 0;
};

/// The answer: durations and values only, no times, so that clocks need not agree.
struct GateReply
{
    std::array<std::int32_t, kGateClasses> admitPpm{1'000'000, 1'000'000, 1'000'000, 1'000'000};
    std::int64_t permittedMilliRps = 0;
    std::int64_t capMilliRps = -1;
    std::int64_t demandMilliRps = 0;
    std::int64_t guardMilliRps = 0;
    /// What the route's quota allows the fleet, its tokens as calls of the size seen lately; -1 =
    /// it has none, or none that can be told yet. And this agent's part of it.
    std::int64_t quotaMilliRps = -1;
    std::int64_t quotaPpm = 1'000'000;
    /// It is the quota that limits, not what was learned.
    bool quotaBinds = false;
    /// This agent's part of the permitted rate, to go by where no answer comes any more.
    std::int64_t sharePpm = 1'000'000;
    std::int64_t validMs = 3000;
    BreakerState breaker = BreakerState::Closed;
    /// Probe slots that this agent may use until its next message.
    std::int32_t probes = 0;
    HoldKind hold = HoldKind::None;
    std::int64_t recoversInMs = 0;
    bool aboveFloor = true;
    std::int64_t version = 0;
    /// That of the message answered.
    std::int64_t sequence = 0;
    std::vector<GateEvent> events{};

    bool operator==(const GateReply&) const = default;
};

} // namespace weir::routing
