// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/asker.h"
#include "common/routing/caller_shares.h"
#include "common/routing/demand_meter.h"
#include "common/routing/guard_bucket.h"
#include "common/routing/outcome_class.h"
#include "common/routing/quota_buckets.h"
#include "common/routing/route_gate.h"
#include "common/routing/share_meter.h"

#include <array>
#include <cstdint>
#include <vector>

namespace weir::routing {

/// One agent's half of one route's gate: counts what the fleet needs to know, holds the last
/// answer, and goes by itself where answers stay away. One thread; copyable. Only `report`, `apply`
/// and the first `asked` allocate.
class AgentGate final
{
public:
    AgentGate(std::uint32_t agent, bool everUsed, const GateParams& params, std::int64_t nowMs);

    /// A request would have gone to this route, whether it was admitted or not.
    void asked(GateClass kind, std::uint64_t caller = 0);

    /// `tokens`: input and output that it will probably take; later, so many more, or fewer.
    void dispatched(std::int64_t nowMs, std::int64_t tokens = 0);
    void corrected(std::int64_t tokens, std::int64_t nowMs);

    /// The attempt's first output came (`Ok`) or it ended without; once an attempt. `retryAfterMs`:
    /// the provider's hint, 0 = none.
    void finished(
        std::int64_t dispatchMs,
        Outcome outcome,
        std::int64_t retryAfterMs,
        std::int64_t nowMs,
        AttemptKind kind = AttemptKind::Normal);

    /// An attempt that was finished as `Ok` broke off later.
    void broke(std::int64_t dispatchMs, std::int64_t nowMs);

    /// One of the guard's tokens, if there is one.
    [[nodiscard]] bool takeGuard(std::int64_t nowMs);
    /// One of the probes that the last answer allowed.
    [[nodiscard]] bool takeProbe(std::int64_t nowMs);

    [[nodiscard]] GateView view(std::int64_t nowMs, const Asker& asker = {}) const;
    void setQuota(const Quota& quota, std::int64_t nowMs);

    /// About once a second. `groupMilliRps`: the agent's demand for all routes of the model.
    [[nodiscard]] GateReport report(std::int64_t nowMs, std::int64_t groupMilliRps);
    /// Answers to other than the last report are ignored.
    void apply(const GateReply& reply, std::int64_t nowMs);

    /// Without answers: R is the agent's own share and what its own evidence makes of it.
    [[nodiscard]] bool isLocal(std::int64_t nowMs) const;
    /// Events of the time without answers, once.
    [[nodiscard]] std::vector<GateEvent> takeLocalEvents();

private:
    /// Failures in a row, by the order in which they end: the way to open without asking.
    struct Streak
    {
        std::int64_t failures = 0;
        std::int64_t firstMs = 0;
        /// Answers that may still say "closed" because they know less than this agent.
        int unheard = 0;
        std::int64_t openUntilMs = kNeverMs;
    };

    Cohort& cohortOf(std::int64_t dispatchMs, std::int64_t nowMs);
    void follow(Outcome outcome, std::int64_t nowMs);
    void adopt(const GateReply& reply, std::int64_t nowMs);
    [[nodiscard]] Reach admit(GateView& view, const Asker& asker) const;
    void goLocal(const GateReport& interval, std::int64_t nowMs);
    [[nodiscard]] GateReport takeInterval(std::int64_t nowMs, std::int64_t groupMilliRps);

    std::uint32_t m_agent;
    GateParams m_params;
    std::array<DemandMeter, kGateClasses> m_asked{};
    CallerShares m_callers;
    CohortRing m_cohorts;
    /// Oldest dispatch counted since the last report.
    std::int64_t m_touchedMs = -kNeverMs;
    std::int64_t m_sent = 0;
    std::int64_t m_tokens = 0;
    std::int64_t m_inFlight = 0;
    std::int64_t m_answers = 0;
    std::int64_t m_ttftCount = 0;
    std::int64_t m_ttftSumMs = 0;
    std::int64_t m_retryUntilMs = kNeverMs;
    std::int32_t m_probesAllowed = 0;
    std::int32_t m_probesInFlight = 0;
    std::int32_t m_probesOk = 0;
    std::int32_t m_probesFailed = 0;
    std::int64_t m_reportedMs;
    GuardBucket m_guard;
    QuotaBuckets m_quota;
    Streak m_streak;
    /// The report that is not answered yet.
    GateReport m_pending;
    bool m_answered = true;
    GateReply m_reply;
    /// When the fleet last answered, and when any answer was taken up, this agent's own included.
    std::int64_t m_repliedMs;
    std::int64_t m_adoptedMs;
    /// Of the last answer by the fleet.
    std::int64_t m_fleetMilliRps = -1;
    std::int64_t m_fleetVersion = 0;
    ShareMeter m_share;
    std::int64_t m_quotaPpm = 1'000'000;
    GateState m_local;
    std::vector<GateEvent> m_localEvents;
};

} // namespace weir::routing
