// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/cohort_ring.h"

#include <cstdint>

namespace weir::routing {

/// The hold of one ACCOUNT: all routes of a provider share one credit and one key (routing.md
/// section 4). The driver keeps one of these a provider and hands it to `step` with the state of
/// the route reported; what one route finds out thereby holds, and releases, the others at once.
/// A driver that has a single route of a provider uses the one inside `GateState`.
struct AccountHold
{
    HoldKind kind = HoldKind::None;
    std::int64_t sinceMs = kNeverMs;
    /// Auth only: a credit hold ends with a success.
    std::int64_t untilMs = kNeverMs;
    /// Answers of attempts sent before this are old news.
    std::int64_t releasedMs = kNeverMs;
    std::int64_t creditSeenMs = kNeverMs;
    std::int64_t nextProbeMs = kNeverMs;
    /// Whose the probe is: a route and an agent.
    std::uint64_t probeRoute = 0;
    std::uint32_t probeAgent = 0;
    std::int64_t probeUntilMs = kNeverMs;
    /// Who was last offered a probe and did not take it.
    std::uint64_t idleRoute = 0;
    std::uint32_t idleAgent = 0;
    std::int64_t idleUntilMs = kNeverMs;
    /// Credit holds released so far; each route restores its rate when it sees a new one.
    std::int64_t releases = 0;

    [[nodiscard]] bool holds() const { return kind != HoldKind::None; }

    bool operator==(const AccountHold&) const = default;
};

/// What one report says about the account.
struct AccountNews
{
    std::uint64_t route = 0;
    std::uint32_t agent = 0;
    std::int64_t creditRefused = 0;
    std::int64_t authRefused = 0;
    /// Attempts answered that had been sent after the hold began.
    std::int64_t ok = 0;
    std::int32_t probesInFlight = 0;
    bool probeEnded = false;
    /// The route does less than one request in five seconds: one refusal is enough.
    bool quietRoute = false;
};

/// Applies a report; at most one probe each 30 s. Returns whether the hold changed.
bool note(AccountHold& account, const AccountNews& news, std::int64_t nowMs);

/// Ends what ends by time. Returns whether the hold changed.
bool expire(AccountHold& account, std::int64_t nowMs);

/// 1 if this agent may send the account's next probe by this route.
[[nodiscard]] std::int32_t
grantProbe(AccountHold& account, std::uint64_t route, std::uint32_t agent, std::int64_t nowMs);

/// Until the hold ends or the next probe goes out; 0 = no hold.
[[nodiscard]] std::int64_t recoversInMs(const AccountHold& account, std::int64_t nowMs);

} // namespace weir::routing
