// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/route_config.h"
#include "common/model/rules.h"
#include "common/routing/gate_state.h"

#include <cstdint>
#include <vector>

namespace weir::routing {

struct GateParams
{
    /// `timing.breaker_open_s`.
    std::int64_t firstOpenMs = 15'000;
    /// A probe that has not ended for so long is lost: longest attempt and 2 s.
    std::int64_t probeTtlMs = 62'000;
    /// How long an agent may go by an answer.
    std::int64_t validMs = 3'000;
    /// The route, the same number on every agent.
    std::uint64_t routeKey = 0;
    /// Of the breaker's jitter.
    std::uint64_t seed = 0;
    GuardingRules rules{};
    /// The route's, of the whole fleet.
    Quota quota{};
    /// Of the fleet, as many as are known at the start: until the first answer each goes by its
    /// part of the quota.
    std::int64_t agents = 1;
    /// R is never above it, whatever the evidence; -1 = no such bound.
    std::int64_t rateMaxMilliRps = -1;
};

/// Everything the fleet knows about ONE route's gate: integers only, copyable, comparable. One
/// thread at a time may step it; it belongs to the driver (in process: under a lock).
///
/// The clock is the driver's: milliseconds on one line for all agents, the origin is free, and
/// nothing is aligned to an hour of it. Time does not run backwards: an earlier `nowMs` counts as
/// the latest one seen.
struct GateState
{
    /// False = memory empty: the first reports teach it (`GateReport::knownMilliRps`).
    bool started = false;
    /// The route has served before, as the store remembers it: it never slow-starts (again).
    bool everUsed = true;
    /// Until then reports teach it the rate; `kNeverMs` = until 10 s after the first demand.
    bool learning = false;
    std::int64_t learningUntilMs = kNeverMs;
    /// Of the rate: rises with every change of it.
    std::int64_t version = 0;
    /// When the memory began.
    std::int64_t startedMs = kNeverMs;
    std::int64_t lastMs = kNeverMs;
    std::int64_t tickMs = kNeverMs;
    std::int64_t epochMs = kNeverMs;
    RateMemory rate;
    BreakerMemory breaker;
    CapMemory cap;
    LatencyMemory latency;
    QuotaMemory quota;
    /// Sent beyond the permitted rate (below zero: unused), in thousand-millionths of a request.
    std::int64_t debtNano = 0;
    std::int64_t misconfiguredUntilMs = kNeverMs;
    std::int64_t retryHoldUntilMs = kNeverMs;
    std::int64_t retryProbeMs = kNeverMs;
    std::int64_t releasesSeen = 0;
    CohortRing cohorts;
    /// Sorted by agent.
    std::vector<AgentWant> wants;
    /// Used where the driver does not share one among the routes of a provider.
    AccountHold account;

    bool operator==(const GateState&) const = default;
};

[[nodiscard]] GateState newGate(bool everUsed);

/// The one step: lets time pass up to `nowMs`, counts the report, answers it. What is decided by
/// time (cut, growth, breaker, cap) is decided once a second, from everything reported before that
/// second: so the order in which agents report within a second does not matter.
[[nodiscard]] GateReply
step(GateState& state, const GateReport& report, std::int64_t nowMs, const GateParams& params);

/// The same with a hold that the routes of one provider share.
[[nodiscard]] GateReply step(
    GateState& state,
    AccountHold& account,
    const GateReport& report,
    std::int64_t nowMs,
    const GateParams& params);

} // namespace weir::routing
