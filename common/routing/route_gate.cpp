// SPDX-License-Identifier: Apache-2.0
#include "common/routing/route_gate.h"

#include "common/routing/admission.h"
#include "common/routing/aimd.h"
#include "common/routing/breaker.h"
#include "common/routing/latency_knee.h"
#include "common/routing/load_cap.h"
#include "common/routing/quota_rate.h"

#include <algorithm>
#include <utility>

namespace weir::routing {
namespace {

constexpr std::int64_t kLearnMs = 10'000;
constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kRetryAfterMaxMs = 300'000;
constexpr std::int64_t kFullHoldMs = 60'000;
constexpr std::int64_t kRetryProbeMs = 10'000;
constexpr std::int64_t kMisconfiguredMs = 60'000;
constexpr std::int64_t kQuietMicro = 200'000;
constexpr std::int64_t kSentMax = 1'000'000'000;
constexpr std::int64_t kNanoPerRequest = 1'000'000'000;
constexpr std::int64_t kWantMaxMilli = kMicroMax / kMicroPerMilli;

std::int64_t microOf(std::int64_t milli)
{
    return std::clamp<std::int64_t>(milli, 0, kWantMaxMilli) * kMicroPerMilli;
}

void start(GateState& state, const AccountHold& account, std::int64_t nowMs)
{
    state.started = true;
    state.startedMs = nowMs;
    state.lastMs = nowMs;
    state.tickMs = floorTo(nowMs, 1000);
    state.epochMs = bucketOf(nowMs - 1000);
    state.learning = state.everUsed;
    state.rate.slowStart = !state.everUsed;
    state.rate.slowStartFromMs = nowMs;
    state.cap.minuteMs = nowMs;
    state.cap.countedToMs = bucketOf(nowMs);
    state.releasesSeen = account.releases;
}

/// Study only (`GuardingRules::keepsHistory`). What agents remember is older than this, so they do
/// not teach it again.
void forgetWithTheHour(GateState& state, const AccountHold& account, std::int64_t nowMs)
{
    if (floorTo(nowMs, kHourMs) == floorTo(state.lastMs, kHourMs)) return;
    GateState fresh = newGate(false);
    fresh.version = state.version + 1;
    fresh.wants = std::move(state.wants);
    state = std::move(fresh);
    start(state, account, nowMs);
}

/// With an empty memory: what agents remember, else as much as the model's traffic asks for, until
/// evidence says less. A route that served yesterday is not to be crept up to.
void learn(
    GateState& state, const GateScene& scene, std::int64_t atMs, std::vector<GateEvent>& events)
{
    if (state.rate.slowStart) {
        setRate(state, scene, std::max(state.rate.rateMicro, scene.group / 50));
        return;
    }
    if (!state.learning) return;
    if (state.version <= 1) {
        state.rate.rateMicro = std::max({state.rate.rateMicro, scene.group, scene.floor});
        state.version = 1;
    }
    if (scene.group > 0 && state.learningUntilMs == kNeverMs) {
        state.learningUntilMs = atMs + kLearnMs;
    }
    if (state.learningUntilMs == kNeverMs || atMs < state.learningUntilMs) return;
    state.learning = false;
    events.push_back(
        {.kind = GateEventKind::MemoryLearned,
         .atMs = atMs,
         .afterMilliRps = state.rate.rateMicro / kMicroPerMilli});
}

void addHold(std::vector<GateEvent>& events, GateEventKind kind, HoldKind hold, std::int64_t atMs)
{
    events.push_back({.kind = kind, .atMs = atMs, .hold = hold});
}

void advanceHolds(
    GateState& state, AccountHold& account, std::int64_t atMs, std::vector<GateEvent>& events)
{
    const HoldKind held = account.kind;
    if (expire(account, atMs)) addHold(events, GateEventKind::HoldReleased, held, atMs);
    if (state.misconfiguredUntilMs != kNeverMs && atMs >= state.misconfiguredUntilMs) {
        state.misconfiguredUntilMs = kNeverMs;
        addHold(events, GateEventKind::HoldReleased, HoldKind::Misconfigured, atMs);
    }
    if (state.retryHoldUntilMs != kNeverMs) {
        if (atMs < state.retryHoldUntilMs) return;
        state.retryHoldUntilMs = kNeverMs;
        addHold(events, GateEventKind::HoldReleased, HoldKind::RetryAfter, atMs);
    }
    if (atMs >= state.rate.frozenUntilMs) return;
    const Evidence last = sumOf(state.cohorts, bucketOf(atMs) - kCohortMs, atMs + 1);
    if (last.failures < 3 || last.failures * 2 < last.attempts) return;
    state.retryHoldUntilMs = std::min(state.rate.frozenUntilMs, atMs + kFullHoldMs);
    state.retryProbeMs = atMs + kRetryProbeMs;
    addHold(events, GateEventKind::HoldSet, HoldKind::RetryAfter, atMs);
}

/// Credit is back: at least half of the peak, as far as R had been there; then in single steps.
void restoreAfterCredit(
    GateState& state, const AccountHold& account, const GateScene& scene, std::int64_t atMs)
{
    if (state.releasesSeen == account.releases) return;
    state.releasesSeen = account.releases;
    state.rate.lastCutMs = atMs;
    state.rate.grownSinceCut = false;
    const std::int64_t before = std::max(state.rate.rateMicro, state.rate.beforeTroubleMicro);
    const std::int64_t half = std::min(before, state.rate.referenceMicro / 2);
    setRate(state, scene, std::max(state.rate.rateMicro, half));
}

void advance(
    GateState& state,
    AccountHold& account,
    std::int64_t atMs,
    const GateParams& params,
    std::vector<GateEvent>& events)
{
    const std::int64_t epoch = bucketOf(atMs - 1000);
    const std::int64_t epochs = (epoch - state.epochMs) / kCohortMs;
    state.tickMs = atMs;
    state.epochMs = epoch;
    if (epochs > 0) measureUse(state, atMs, epochs);
    fade(state.quota, epochs);
    const GateScene scene = sceneOf(state, atMs, params);
    advanceHolds(state, account, atMs, events);
    restoreAfterCredit(state, account, scene, atMs);
    advanceBreaker(state, scene, atMs, params, events);
    learn(state, scene, atMs, events);
    const bool resting = state.breaker.state != BreakerState::Closed || account.holds() ||
                         state.misconfiguredUntilMs != kNeverMs ||
                         state.retryHoldUntilMs != kNeverMs;
    if (!resting && !state.learning) {
        cutIfDue(state, scene, atMs, events);
        if (epochs > 0) growIfDue(state, scene, atMs, epochs, events);
    }
    if (!resting && epochs > 0) advanceCap(state, scene, atMs, events);
    setRate(state, scene, state.rate.rateMicro);
}

AgentWant& wantOf(GateState& state, std::uint32_t agent)
{
    const auto place = std::ranges::lower_bound(state.wants, agent, {}, &AgentWant::agent);
    if (place != state.wants.end() && place->agent == agent) return *place;
    return *state.wants.insert(place, AgentWant{.agent = agent});
}

/// A lower version than an agent's means that memory was lost: the newest rate known counts, and
/// the largest of those.
void relearn(GateState& state, const GateReport& report, std::int64_t nowMs)
{
    if (report.knownMilliRps < 0 || report.knownVersion < state.version) return;
    const std::int64_t known = microOf(report.knownMilliRps);
    if (report.knownVersion == state.version) {
        if (!state.learning || known <= state.rate.rateMicro || state.version <= 1) return;
    }
    state.version = report.knownVersion;
    state.rate.rateMicro = known;
    // Nobody knows what it was cut for: it grows in single steps, not by halves.
    if (state.rate.lastCutMs == kNeverMs) state.rate.lastCutMs = nowMs;
}

void noteAccount(
    GateState& state,
    AccountHold& account,
    const GateReport& report,
    std::int64_t nowMs,
    const GateParams& params,
    std::vector<GateEvent>& events)
{
    AccountNews news{
        .route = params.routeKey,
        .agent = report.agent,
        .ok = std::max(report.probesOk, 0),
        .probesInFlight = report.probesInFlight,
        .probeEnded = report.probesOk > 0 || report.probesFailed > 0,
        .quietRoute = state.rate.usedMicro < kQuietMicro};
    for (const Cohort& cohort : report.cohorts) {
        if (cohort.startMs + kCohortMs > account.releasedMs) {
            news.creditRefused += cohort.creditRefused;
            news.authRefused += cohort.authRefused;
        }
        if (cohort.startMs >= account.sinceMs) news.ok += std::max(cohort.ok, 0);
        if (cohort.misconfigured > 0) {
            if (state.misconfiguredUntilMs == kNeverMs) {
                addHold(events, GateEventKind::HoldSet, HoldKind::Misconfigured, nowMs);
            }
            state.misconfiguredUntilMs = nowMs + kMisconfiguredMs;
        }
    }
    const HoldKind before = account.kind;
    if (!note(account, news, nowMs)) return;
    const bool set = account.holds();
    addHold(
        events,
        set ? GateEventKind::HoldSet : GateEventKind::HoldReleased,
        set ? account.kind : before,
        nowMs);
}

void merge(
    GateState& state,
    AccountHold& account,
    const GateReport& report,
    std::int64_t nowMs,
    const GateParams& params,
    std::vector<GateEvent>& events)
{
    AgentWant& want = wantOf(state, report.agent);
    const bool again = report.sequence != 0 && report.sequence == want.sequence;
    want.seenMs = nowMs;
    want.sequence = report.sequence;
    want.groupMicro = microOf(report.groupMilliRps);
    for (std::size_t i = 0; i < kGateClasses; ++i) {
        want.wantMicro[i] = microOf(report.wantMilliRps[i]);
    }
    settleProbes(state.breaker, report);
    if (report.retryAfterMs > 0) {
        const std::int64_t until = nowMs + std::min(report.retryAfterMs, kRetryAfterMaxMs);
        state.rate.frozenUntilMs = std::max(state.rate.frozenUntilMs, until);
    }
    if (again) return;
    relearn(state, report, nowMs);
    for (const Cohort& cohort : report.cohorts) {
        state.cohorts.merge(cohort, nowMs);
        noteFailures(state.breaker, cohort);
    }
    state.debtNano += std::clamp(report.sent, std::int64_t{0}, kSentMax) * kNanoPerRequest;
    state.breaker.probesOk += std::clamp(report.probesOk, 0, 1000);
    state.breaker.probesFailed += std::clamp(report.probesFailed, 0, 1000);
    if (report.probesOk > 0 && state.retryHoldUntilMs != kNeverMs) {
        state.retryHoldUntilMs = nowMs;
        state.rate.frozenUntilMs = nowMs;
    }
    noteLatency(state.latency, report);
    note(state.quota, report);
    noteAccount(state, account, report, nowMs, params, events);
}

HoldKind holdOf(const GateState& state, const AccountHold& account)
{
    if (account.holds()) return account.kind;
    if (state.misconfiguredUntilMs != kNeverMs) return HoldKind::Misconfigured;
    if (state.retryHoldUntilMs != kNeverMs) return HoldKind::RetryAfter;
    return HoldKind::None;
}

std::int64_t
recoveryMs(const GateState& state, const AccountHold& account, HoldKind hold, std::int64_t nowMs)
{
    std::int64_t until = kNeverMs;
    if (state.breaker.state == BreakerState::Open) until = state.breaker.openUntilMs;
    if (hold == HoldKind::Misconfigured) until = std::max(until, state.misconfiguredUntilMs);
    if (hold == HoldKind::RetryAfter) until = std::max(until, state.retryHoldUntilMs);
    const std::int64_t ms = until == kNeverMs ? 0 : std::max<std::int64_t>(until - nowMs, 0);
    return std::max(ms, recoversInMs(account, nowMs));
}

std::int32_t grant(
    GateState& state,
    AccountHold& account,
    const GateScene& scene,
    std::uint32_t agent,
    std::int64_t nowMs,
    const GateParams& params)
{
    const AgentWant& want = wantOf(state, agent);
    const bool wants = std::ranges::any_of(want.wantMicro, [](auto rate) { return rate > 0; });
    // Agents without demand would only keep the probes from the others.
    if (!wants && scene.agentsWanting > 0) return 0;
    if (account.holds()) return grantProbe(account, params.routeKey, agent, nowMs);
    if (state.misconfiguredUntilMs != kNeverMs) return 0;
    if (state.breaker.state != BreakerState::Closed) {
        return grantProbes(state, scene, agent, nowMs, params);
    }
    if (state.retryHoldUntilMs == kNeverMs || nowMs < state.retryProbeMs) return 0;
    state.retryProbeMs = nowMs + kRetryProbeMs;
    return 1;
}

GateReply answer(
    GateState& state,
    AccountHold& account,
    const GateReport& report,
    std::int64_t nowMs,
    const GateParams& params)
{
    const GateScene scene = sceneOf(state, nowMs, params);
    const bool untaught = state.learning && state.version <= 1;
    state.rate.rateMicro =
        std::max({state.rate.rateMicro, untaught ? scene.group : 0, scene.floor});
    const std::int64_t limit = limitOf(state, scene);
    state.debtNano = debtAfter(state.debtNano, limit, nowMs - state.lastMs);
    const AgentWant& want = wantOf(state, report.agent);
    std::int64_t asked = 0;
    for (const std::int64_t rate : want.wantMicro)
        asked += rate;
    const HoldKind hold = holdOf(state, account);
    const bool hasQuota = scene.quota >= 0;
    const std::int64_t rate = state.rate.rateMicro;
    const std::int64_t permitted = hasQuota ? std::min(rate, scene.quota) : rate;
    GateReply reply{
        .permittedMilliRps = permitted / kMicroPerMilli,
        .capMilliRps = state.cap.capMicro < 0 ? -1 : state.cap.capMicro / kMicroPerMilli,
        .demandMilliRps = scene.demand / kMicroPerMilli,
        .guardMilliRps = (untaught ? kMicroMax : guardMicro(scene, limit, asked)) / kMicroPerMilli,
        .quotaMilliRps = hasQuota ? scene.quota / kMicroPerMilli : -1,
        .quotaPpm = partPpm(scene, hasQuota ? scene.quota : scene.demand, asked),
        .quotaBinds = hasQuota && limit == scene.quota,
        .sharePpm = partPpm(scene, permitted, asked),
        .validMs = params.validMs,
        .breaker = state.breaker.state,
        .hold = hold,
        .recoversInMs = recoveryMs(state, account, hold, nowMs),
        .aboveFloor = rate > scene.sampling || (hasQuota && rate >= scene.quota),
        .version = state.version,
        .sequence = report.sequence};
    if (hold != HoldKind::None || state.breaker.state != BreakerState::Closed) {
        reply.admitPpm.fill(0);
        reply.probes = grant(state, account, scene, report.agent, nowMs, params);
    } else if (!untaught) {
        reply.admitPpm = admission(scene, limit, state.debtNano);
    }
    return reply;
}

} // namespace

GateState newGate(bool everUsed)
{
    GateState state;
    state.everUsed = everUsed;
    return state;
}

GateReply
step(GateState& state, const GateReport& report, std::int64_t nowMs, const GateParams& params)
{
    return step(state, state.account, report, nowMs, params);
}

GateReply step(
    GateState& state,
    AccountHold& account,
    const GateReport& report,
    std::int64_t nowMs,
    const GateParams& params)
{
    std::vector<GateEvent> events;
    if (!state.started) start(state, account, nowMs);
    const std::int64_t now = std::max(nowMs, state.lastMs);
    if (!params.rules.keepsHistory) forgetWithTheHour(state, account, now);
    const std::int64_t second = floorTo(now, 1000);
    if (second > state.tickMs) advance(state, account, second, params, events);
    merge(state, account, report, now, params, events);
    GateReply reply = answer(state, account, report, now, params);
    state.lastMs = now;
    reply.events = std::move(events);
    return reply;
}

} // namespace weir::routing
