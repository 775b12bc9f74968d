// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/account_hold.h"
#include "common/routing/cap_memory.h"
#include "common/routing/cohort_ring.h"

#include <array>
#include <cstdint>
#include <vector>

namespace weir::routing {

/// Rates inside the gate are micro-rps (a millionth of a request per second), so that decays of
/// one part in 25,000 do not get lost; R is never above a million requests per second.
inline constexpr std::int64_t kMicroPerMilli = 1000;
inline constexpr std::int64_t kMicroMax = 1'000'000'000'000;

/// What one agent last asked for.
struct AgentWant
{
    std::uint32_t agent = 0;
    std::int64_t seenMs = kNeverMs;
    std::int64_t sequence = 0;
    std::array<std::int64_t, kGateClasses> wantMicro{};
    std::int64_t groupMicro = 0;

    bool operator==(const AgentWant&) const = default;
};

/// Permission for one probe: from its grant until the probe ended, or was not taken, or too long.
struct ProbeSlot
{
    std::uint32_t agent = 0;
    std::int64_t untilMs = kNeverMs;

    bool operator==(const ProbeSlot&) const = default;
};

/// The permitted rate R (routing.md section 4).
struct RateMemory
{
    std::int64_t rateMicro = 0;
    /// Rref: decaying peak of the use.
    std::int64_t referenceMicro = 0;
    /// Attempts per second over the last complete 5 or 10 s.
    std::int64_t usedMicro = 0;
    std::int64_t lastCutMs = kNeverMs;
    /// Cohorts before this do not count: dispatched before the last cut, or before the breaker
    /// shut.
    std::int64_t evidenceFromMs = kNeverMs;
    std::int64_t frozenUntilMs = kNeverMs;
    /// R when the present trouble began: what the breaker gives a quarter of back.
    std::int64_t beforeTroubleMicro = 0;
    std::int64_t troubleMs = kNeverMs;
    bool grownSinceCut = true;
    bool slowStart = false;
    std::int64_t slowStartFromMs = 0;

    bool operator==(const RateMemory&) const = default;
};

/// How large calls are, for a quota of tokens: thousandths of both, the old ones fading.
struct QuotaMemory
{
    std::int64_t calls = 0;
    std::int64_t tokens = 0;

    bool operator==(const QuotaMemory&) const = default;
};

/// routing.md section 6.
struct BreakerMemory
{
    static constexpr int kProbeSlots = 3;

    BreakerState state = BreakerState::Closed;
    /// Consecutive opens (k), and opens ever (the jitter's counter).
    std::int32_t opens = 0;
    std::int64_t opensEver = 0;
    std::int64_t openUntilMs = kNeverMs;
    std::int64_t closedMs = kNeverMs;
    std::int64_t evidenceFromMs = kNeverMs;
    std::int64_t rateBeforeMicro = 0;
    std::int32_t probesOk = 0;
    std::int32_t probesFailed = 0;
    /// Oldest and newest cohort with a failure reported since the last look.
    std::int64_t failedFromMs = kNeverMs;
    std::int64_t failedToMs = kNeverMs;
    std::array<ProbeSlot, kProbeSlots> probes{};

    bool operator==(const BreakerMemory&) const = default;
};

} // namespace weir::routing
