// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/call_fact.h"
#include "common/model/incident.h"
#include "common/model/summary.h"
#include "common/routing/minute_grid.h"

#include <cstdint>
#include <string>
#include <vector>

namespace weir::routing {

/// What one whole minute brought, over all agents: all that incidents are made of (routing.md
/// section 11). Rows of the same names add up, and their order never matters. An attempt belongs
/// to the minute in which it ended.

/// One route of one (model, task type). `calls` are all attempts; the classes of routing.md section
/// 4 are parts of them.
struct RouteMinute
{
    std::string model;
    std::string taskType;
    std::string provider;
    std::int64_t calls = 0;
    std::int64_t successes = 0;
    /// The caller's own doing: refused, cancelled, bad request, context overflow.
    std::int64_t neutral = 0;
    std::int64_t rateLimited = 0;
    /// The provider's failures: overload, 5xx, reset, timeouts, broken streams, malformed answers.
    std::int64_t failed = 0;
    std::int64_t credit = 0;
    std::int64_t auth = 0;
    /// Over the calls that tell a TTFT: how many, and the sums of ln(TTFT in us) and of its square,
    /// both in millionths.
    std::int64_t ttftCalls = 0;
    std::int64_t lnTtftMicro = 0;
    std::int64_t lnTtftSquareMicro = 0;
    /// Answers whose first output could be compared with the route's usual time, and those of them
    /// that took more than twice as long.
    std::int64_t comparedCalls = 0;
    std::int64_t slowCalls = 0;
    /// Decisions that would have gone to this route first, had nothing been wrong with it.
    std::int64_t divertedCalls = 0;
    /// Requests that failed for their caller after an attempt here.
    std::int64_t userFailures = 0;
    std::int64_t extraCostMicroUsd = 0;
};

/// One route's gate and breaker.
struct GateMinute
{
    std::string model;
    std::string provider;
    /// Cuts for 429s (m = 0.5) and for other failures (m = 0.8).
    std::int64_t halvingCuts = 0;
    std::int64_t easingCuts = 0;
    /// The longest stretch without a closed breaker (half-open counts) that reached into this
    /// minute, from its real start to its end or the minute's; 0 = closed all the time.
    std::int64_t breakerOpenForMs = 0;
};

/// One provider's account: whether a hold stood at any moment of the minute.
struct AccountMinute
{
    std::string provider;
    bool creditHold = false;
    bool authHold = false;
};

struct FleetMinute
{
    /// Age of the newest summary at the minute's end; -1 = not known.
    std::int64_t summaryAgeMs = -1;
    std::int64_t agents = 0;
    /// The most agents that ran their gates locally for 10 seconds on end at the same time.
    std::int64_t localAgents = 0;
    /// The shared gates were found without their state.
    bool gatesEmptied = false;
};

struct LeaderChange
{
    std::string model;
    std::string taskType;
    /// Empty = nobody.
    std::string from;
    std::string to;
    LeaderCause cause = LeaderCause::None;
};

/// A trouble that others find (price_drift, quality_flag, unloaded_429, budget_burn): listed in
/// each minute in which it holds. Other kinds are ignored.
struct RaisedTrouble
{
    IncidentKind kind = IncidentKind::PriceDrift;
    /// Empty where it is not about one.
    std::string model;
    std::string taskType;
    std::string provider;
    std::string detail;
};

struct MinuteFacts
{
    /// Epoch milliseconds of the minute's start. Minutes stand on one grid, wherever it begins.
    std::int64_t startMs = 0;
    std::vector<RouteMinute> routes;
    std::vector<GateMinute> gates;
    std::vector<AccountMinute> accounts;
    std::vector<LeaderChange> leaderChanges;
    std::vector<RaisedTrouble> raised;
    FleetMinute fleet;
};

} // namespace weir::routing
