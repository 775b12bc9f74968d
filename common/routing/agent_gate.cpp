// SPDX-License-Identifier: Apache-2.0
#include "common/routing/agent_gate.h"

#include "common/routing/quota_rate.h"

#include <algorithm>
#include <utility>

namespace weir::routing {
namespace {

/// What a quota allows the agent's buckets keep to, and would waste if they were not asked for
/// more.
constexpr std::int32_t kPastBuckets = 8;
constexpr std::int32_t kPpmAll = 1'000'000;
/// Nobody is told to wait longer for a place that may come any time.
constexpr std::int64_t kRoomMaxMs = 60'000;
constexpr std::int64_t kStreakFailures = 5;
constexpr std::int64_t kStreakMs = 2'000;
/// An answer on the way knows nothing of the streak, and the next has only just heard of it.
constexpr int kUnheardAnswers = 2;
constexpr std::int64_t kShortestMs = 100;
constexpr std::int64_t kAfterAllMs = -kNeverMs;

} // namespace

AgentGate::AgentGate(
    std::uint32_t agent, bool everUsed, const GateParams& params, std::int64_t nowMs)
    : m_agent(agent)
    , m_params(params)
    , m_reportedMs(nowMs)
    , m_quota(params.quota, nowMs)
    , m_repliedMs(nowMs)
    , m_adoptedMs(nowMs)
    , m_quotaPpm(kPpmAll / std::max<std::int64_t>(params.agents, 1))
    , m_local(newGate(everUsed))
{
    m_share.ppm = m_quotaPpm;
    m_quota.setShare(m_quotaPpm, nowMs);
    // Before the first answer a known route is open: nothing says otherwise.
    m_guard = {.rateMicro = everUsed ? kMicroMax : 0, .atMs = nowMs};
}

Cohort& AgentGate::cohortOf(std::int64_t dispatchMs, std::int64_t nowMs)
{
    const std::int64_t ms = std::clamp(dispatchMs, nowMs - kEvidenceMaxMs, nowMs);
    m_touchedMs = std::min(m_touchedMs, ms);
    return m_cohorts.at(ms);
}

void AgentGate::setQuota(const Quota& quota, std::int64_t nowMs)
{
    m_params.quota = quota;
    m_quota.setQuota(quota, nowMs);
}

void AgentGate::corrected(std::int64_t tokens, std::int64_t nowMs)
{
    m_quota.correct(tokens, nowMs);
    m_tokens += tokens;
}

void AgentGate::dispatched(std::int64_t nowMs, std::int64_t tokens)
{
    m_quota.take(tokens, nowMs);
    m_tokens += std::max<std::int64_t>(tokens, 0);
    ++cohortOf(nowMs, nowMs).dispatched;
    ++m_sent;
    ++m_inFlight;
}

void AgentGate::finished(
    std::int64_t dispatchMs,
    Outcome outcome,
    std::int64_t retryAfterMs,
    std::int64_t nowMs,
    AttemptKind kind)
{
    m_inFlight = std::max<std::int64_t>(m_inFlight - 1, 0);
    countEnded(cohortOf(dispatchMs, nowMs), outcome, dispatchMs);
    const OutcomeClass result = classOf(outcome);
    if (result == OutcomeClass::Ok || outcome == Outcome::TtftTimeout) {
        m_answers += result == OutcomeClass::Ok ? 1 : 0;
        ++m_ttftCount;
        m_ttftSumMs += std::max<std::int64_t>(nowMs - dispatchMs, 0);
    }
    if (retryAfterMs > 0 && (result == OutcomeClass::Rate || result == OutcomeClass::Failure)) {
        m_retryUntilMs =
            std::max(m_retryUntilMs, nowMs + std::min<std::int64_t>(retryAfterMs, 300'000));
    }
    if (kind == AttemptKind::Probe) {
        m_probesInFlight = std::max(m_probesInFlight - 1, 0);
        if (result == OutcomeClass::Ok) ++m_probesOk;
        if (result == OutcomeClass::Failure || result == OutcomeClass::Credit ||
            result == OutcomeClass::Rate || result == OutcomeClass::Auth) {
            ++m_probesFailed;
        }
    }
    follow(outcome, nowMs);
}

void AgentGate::broke(std::int64_t dispatchMs, std::int64_t nowMs)
{
    countBroken(cohortOf(dispatchMs, nowMs), dispatchMs);
    follow(Outcome::StreamBroken, nowMs);
}

void AgentGate::follow(Outcome outcome, std::int64_t nowMs)
{
    if (isSuccess(outcome)) {
        m_streak = {};
        return;
    }
    if (!tripsBreaker(outcome)) return;
    if (m_streak.failures++ == 0) m_streak.firstMs = nowMs;
    const bool inARow =
        m_streak.failures >= kStreakFailures && nowMs - m_streak.firstMs >= kStreakMs;
    // Attempts in flight may be slow successes, which failures overtake.
    if (!inARow || m_inFlight > m_streak.failures || m_streak.openUntilMs != kNeverMs) return;
    m_streak.unheard = kUnheardAnswers + (m_answered ? 0 : 1);
    m_streak.openUntilMs = nowMs + m_params.firstOpenMs;
}

void AgentGate::asked(GateClass kind, std::uint64_t caller)
{
    ++m_asked[static_cast<std::size_t>(kind)].count;
    m_callers.asked(caller, kind);
}

bool AgentGate::takeGuard(std::int64_t nowMs)
{
    return m_guard.take(nowMs);
}

bool AgentGate::takeProbe(std::int64_t nowMs)
{
    if (m_probesAllowed <= 0 || nowMs - m_adoptedMs > m_params.validMs) return false;
    --m_probesAllowed;
    ++m_probesInFlight;
    return true;
}

/// The caller's part of what the gate lets through, and how far it may reach into a quota.
Reach AgentGate::admit(GateView& view, const Asker& asker) const
{
    bool isOver = false;
    for (std::size_t i = 0; i < kGateClasses; ++i) {
        const auto kind = static_cast<GateClass>(i);
        const auto part = m_callers.partOf(asker.caller, kind, m_reply.admitPpm[i]);
        view.admitPpm[i] = part.admitPpm;
        if (m_reply.quotaBinds) {
            view.admitPpm[i] = std::min(part.admitPpm * kPastBuckets, kPpmAll);
        }
        if (asker.batch == (kind == GateClass::Batch)) isOver = isOver || part.isOver;
    }
    // By the chance alone, not by what the buckets make of it: one second's demand needs so long.
    const std::int64_t chance =
        m_callers.partOf(asker.caller, GateClass::Batch, m_reply.admitPpm.back()).admitPpm;
    if (asker.batch && chance < kPpmAll) {
        view.recoversInMs =
            std::min(kRoomMaxMs, std::int64_t{1000} * kPpmAll / std::max<std::int64_t>(chance, 1));
    }
    if (asker.batch) return isOver ? Reach::Least : Reach::Half;
    return isOver ? Reach::Most : Reach::All;
}

GateView AgentGate::view(std::int64_t nowMs, const Asker& asker) const
{
    const std::int64_t age = std::max<std::int64_t>(nowMs - m_adoptedMs, 0);
    GateView view{
        .breaker = m_reply.breaker,
        .probeFree = m_probesAllowed > 0 && age <= m_params.validMs,
        .hold = m_reply.hold,
        .aboveFloor = m_reply.aboveFloor,
        .permittedMilliRps = m_reply.permittedMilliRps,
        .capMilliRps = m_reply.capMilliRps,
        .version = m_reply.version};
    const Reach reach = admit(view, asker);
    view.guardOpen = m_guard.isOpen(nowMs) && m_quota.isOpen(reach, nowMs);
    if (asker.batch) {
        view.recoversInMs = std::max(view.recoversInMs, m_quota.opensInMs(reach, nowMs));
    }
    if (view.breaker != BreakerState::Closed || view.hold != HoldKind::None) {
        view.recoversInMs = std::max<std::int64_t>(m_reply.recoversInMs - age, 0);
    } else if (nowMs < m_streak.openUntilMs) {
        view.breaker = BreakerState::Open;
        view.recoversInMs = m_streak.openUntilMs - nowMs;
        view.admitPpm.fill(0);
    }
    return view;
}

GateReport AgentGate::takeInterval(std::int64_t nowMs, std::int64_t groupMilliRps)
{
    GateReport report{
        .agent = m_agent,
        .groupMilliRps = groupMilliRps,
        .sent = std::exchange(m_sent, 0),
        .tokens = std::exchange(m_tokens, 0),
        .probesOk = std::exchange(m_probesOk, 0),
        .probesFailed = std::exchange(m_probesFailed, 0),
        .answers = std::exchange(m_answers, 0),
        .ttftCount = std::exchange(m_ttftCount, 0),
        .ttftSumMs = std::exchange(m_ttftSumMs, 0),
        .knownMilliRps = m_fleetMilliRps,
        .knownVersion = m_fleetVersion};
    const std::int64_t oldest = std::max(m_touchedMs, nowMs - kEvidenceMaxMs);
    for (std::int64_t start = bucketOf(oldest); start <= nowMs; start += kCohortMs) {
        Cohort& cohort = m_cohorts.at(start);
        if (cohort == Cohort{.startMs = start}) continue;
        report.cohorts.push_back(cohort);
        cohort = {.startMs = start};
    }
    m_touchedMs = kAfterAllMs;
    return report;
}

GateReport AgentGate::report(std::int64_t nowMs, std::int64_t groupMilliRps)
{
    const std::int64_t elapsed = nowMs - m_reportedMs;
    if (elapsed >= kShortestMs) {
        for (DemandMeter& meter : m_asked)
            meter.settle(elapsed);
        m_reportedMs = nowMs;
    }
    m_callers.settle(nowMs);
    const bool local = isLocal(nowMs);
    if (m_answered || local) {
        const std::int64_t sequence = m_pending.sequence + 1;
        m_pending = takeInterval(nowMs, groupMilliRps);
        m_pending.sequence = sequence;
        m_answered = false;
    }
    m_probesAllowed = 0;
    m_pending.groupMilliRps = groupMilliRps;
    m_pending.probesInFlight = m_probesInFlight;
    m_pending.retryAfterMs = std::max<std::int64_t>(m_retryUntilMs - nowMs, 0);
    for (std::size_t i = 0; i < kGateClasses; ++i) {
        m_pending.wantMilliRps[i] = std::max<std::int64_t>(m_asked[i].milliRps, 0);
    }
    if (local) goLocal(m_pending, nowMs);
    return m_pending;
}

bool AgentGate::isLocal(std::int64_t nowMs) const
{
    return nowMs - m_repliedMs > m_params.validMs;
}

void AgentGate::goLocal(const GateReport& interval, std::int64_t nowMs)
{
    GateReport own = interval;
    own.sequence = 0;
    own.groupMilliRps = own.groupMilliRps / 1000 * m_share.ppm / 1000;
    own.knownMilliRps = -1;
    // Of rate and quota this agent has its part, and nobody to ask for more: its own successes say
    // nothing of what the others send meanwhile.
    GateParams params = m_params;
    params.quota = partOf(m_params.quota, m_quotaPpm);
    if (m_fleetMilliRps >= 0) {
        const std::int64_t share = m_fleetMilliRps * m_share.ppm / 1'000'000;
        params.rateMaxMilliRps = std::max<std::int64_t>(share, 1);
        if (!m_local.started) {
            m_local.everUsed = true;
            own.knownMilliRps = params.rateMaxMilliRps;
            own.knownVersion = m_fleetVersion;
        }
    }
    GateReply reply = step(m_local, own, nowMs, params);
    m_localEvents.insert(m_localEvents.end(), reply.events.begin(), reply.events.end());
    adopt(reply, nowMs);
}

void AgentGate::adopt(const GateReply& reply, std::int64_t nowMs)
{
    m_guard.setRate(std::clamp<std::int64_t>(reply.guardMilliRps, 0, 1'000'000'000) * 1000, nowMs);
    m_probesAllowed = reply.probes;
    m_adoptedMs = nowMs;
    m_reply = reply;
    m_callers.divide(m_reply.admitPpm);
    if (m_streak.openUntilMs == kNeverMs) return;
    if (reply.breaker != BreakerState::Closed || --m_streak.unheard <= 0) m_streak = {};
}

void AgentGate::apply(const GateReply& reply, std::int64_t nowMs)
{
    if (m_answered || reply.sequence != m_pending.sequence) return;
    m_answered = true;
    m_share.heard(reply.sharePpm, nowMs - m_repliedMs);
    m_repliedMs = nowMs;
    adopt(reply, nowMs);
    m_fleetMilliRps = reply.permittedMilliRps;
    m_fleetVersion = reply.version;
    m_quotaPpm = reply.quotaPpm;
    m_quota.setShare(m_quotaPpm, nowMs);
    if (m_local.started) m_local = newGate(m_local.everUsed);
}

std::vector<GateEvent> AgentGate::takeLocalEvents()
{
    return std::exchange(m_localEvents, {});
}

} // namespace weir::routing
