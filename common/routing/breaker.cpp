// SPDX-License-Identifier: Apache-2.0
#include "common/routing/breaker.h"

#include "common/routing/load_cap.h"
#include "common/routing/philox.h"

#include <algorithm>
#include <bit>

namespace weir::routing {
namespace {

constexpr std::int64_t kWindowMs = 30'000;
constexpr std::int64_t kOpenMaxMs = 300'000;
constexpr std::int64_t kForgiveMs = 600'000;
constexpr int kOksToClose = 3;
constexpr std::int64_t kTroubleMs = 60'000;

struct Streak
{
    std::int64_t failures = 0;
    std::int64_t firstMs = 0;
    std::int64_t lastMs = 0;
};

std::int64_t firstSecond(std::uint8_t mask)
{
    return std::countr_zero(mask);
}

std::int64_t lastSecond(std::uint8_t mask)
{
    return 7 - std::countl_zero(mask);
}

/// Failures with no success dispatched later, back from `toMs`. Attempts still in flight may be
/// successes: where they are the larger part, nothing is known yet.
Streak streakOf(const GateState& state, std::int64_t toMs)
{
    Streak streak;
    std::int64_t attempts = 0;
    const std::int64_t from = std::max(state.breaker.evidenceFromMs, toMs - kWindowMs);
    for (std::int64_t start = toMs; start >= from; start -= kCohortMs) {
        const Cohort* cohort = state.cohorts.find(start);
        if (cohort == nullptr) continue;
        if (cohort->ok > 0) break;
        attempts += attemptsOf(*cohort) - cohort->rateLimited;
        if (cohort->breakerHalves < 2 || cohort->failedSeconds == 0) continue;
        if (streak.failures == 0) streak.lastMs = start + lastSecond(cohort->failedSeconds) * 1000;
        streak.firstMs = start + firstSecond(cohort->failedSeconds) * 1000;
        streak.failures += cohort->breakerHalves / 2;
    }
    return streak.failures * 2 >= attempts ? streak : Streak{};
}

/// Half of the attempts of 30 s failed: at least 20 of them, or 10 with three failures in a row
/// (routing.md section 18), or five in a row over 2 s.
bool tripsAt(const GateState& state, std::int64_t toMs)
{
    const Streak streak = streakOf(state, toMs);
    if (streak.failures >= 5 && streak.lastMs - streak.firstMs >= 2000) return true;
    const std::int64_t from = std::max(state.breaker.evidenceFromMs, toMs + kCohortMs - kWindowMs);
    const Evidence window = sumOf(state.cohorts, from, toMs + kCohortMs);
    if (window.breakerHalves < window.breakerAttempts) return false;
    return window.breakerAttempts >= 20 || (window.breakerAttempts >= 10 && streak.failures >= 3);
}

void openBreaker(
    GateState& state, std::int64_t atMs, const GateParams& params, std::vector<GateEvent>& events)
{
    BreakerMemory& breaker = state.breaker;
    if (breaker.state == BreakerState::Closed) {
        const bool cutBefore = atMs - state.rate.troubleMs <= kTroubleMs;
        breaker.rateBeforeMicro =
            std::max(state.rate.rateMicro, cutBefore ? state.rate.beforeTroubleMicro : 0);
    }
    breaker.state = BreakerState::Open;
    breaker.opens = std::min(breaker.opens + 1, 30);
    ++breaker.opensEver;
    const std::int64_t first = std::clamp<std::int64_t>(params.firstOpenMs, 1, kOpenMaxMs);
    const std::int64_t span = std::min(first << (breaker.opens - 1), kOpenMaxMs);
    const Coin coin{params.seed, {params.routeKey, static_cast<std::uint32_t>(breaker.opensEver)}};
    const std::int64_t percent = 80'000 + pick(coin.draw(Purpose::Jitter), 40'001);
    breaker.openUntilMs = atMs + span * percent / 100'000;
    breaker.probesOk = 0;
    breaker.probesFailed = 0;
    events.push_back(
        {.kind = GateEventKind::BreakerOpened,
         .atMs = atMs,
         .beforeMilliRps = state.rate.rateMicro / kMicroPerMilli});
}

void closeBreaker(
    GateState& state, const GateScene& scene, std::int64_t atMs, std::vector<GateEvent>& events)
{
    BreakerMemory& breaker = state.breaker;
    const std::int64_t before = state.rate.rateMicro;
    breaker.state = BreakerState::Closed;
    breaker.closedMs = atMs;
    breaker.evidenceFromMs = evidenceAfter(atMs);
    breaker.probesOk = 0;
    breaker.failedFromMs = kNeverMs;
    breaker.failedToMs = kNeverMs;
    setRate(state, scene, std::max(scene.sampling, breaker.rateBeforeMicro / 4));
    state.rate.evidenceFromMs = breaker.evidenceFromMs;
    state.rate.lastCutMs = atMs;
    state.rate.grownSinceCut = false;
    state.debtNano = 0;
    restartCleanRun(state, atMs);
    events.push_back(
        {.kind = GateEventKind::BreakerClosed,
         .atMs = atMs,
         .beforeMilliRps = before / kMicroPerMilli,
         .afterMilliRps = state.rate.rateMicro / kMicroPerMilli});
}

void watchClosed(
    GateState& state, std::int64_t atMs, const GateParams& params, std::vector<GateEvent>& events)
{
    BreakerMemory& breaker = state.breaker;
    while (breaker.opens > 0 && atMs - breaker.closedMs >= kForgiveMs) {
        --breaker.opens;
        breaker.closedMs += kForgiveMs;
    }
    if (breaker.failedToMs == kNeverMs) return;
    const std::int64_t from = breaker.failedFromMs;
    const std::int64_t to = breaker.failedToMs;
    breaker.failedFromMs = kNeverMs;
    breaker.failedToMs = kNeverMs;
    // Two windows: failures may be as old as the longest attempt, behind others in flight.
    if (to < breaker.evidenceFromMs) return;
    if (tripsAt(state, to) ||
        (from >= breaker.evidenceFromMs && from != to && tripsAt(state, from))) {
        openBreaker(state, atMs, params, events);
    }
}

} // namespace

void noteFailures(BreakerMemory& breaker, const Cohort& cohort)
{
    if (cohort.breakerHalves <= 0) return;
    const std::int64_t start = bucketOf(cohort.startMs);
    const bool first = breaker.failedToMs == kNeverMs;
    breaker.failedFromMs = first ? start : std::min(breaker.failedFromMs, start);
    breaker.failedToMs = std::max(breaker.failedToMs, start);
}

void advanceBreaker(
    GateState& state,
    const GateScene& scene,
    std::int64_t atMs,
    const GateParams& params,
    std::vector<GateEvent>& events)
{
    BreakerMemory& breaker = state.breaker;
    if (breaker.state == BreakerState::Closed) {
        watchClosed(state, atMs, params, events);
        return;
    }
    if (breaker.state == BreakerState::Open) {
        breaker.probesOk = 0;
        breaker.probesFailed = 0;
        if (atMs < breaker.openUntilMs) return;
        breaker.state = BreakerState::HalfOpen;
        events.push_back({.kind = GateEventKind::BreakerHalfOpened, .atMs = atMs});
        return;
    }
    if (breaker.probesFailed > 0) {
        openBreaker(state, atMs, params, events);
    } else if (breaker.probesOk >= kOksToClose) {
        closeBreaker(state, scene, atMs, events);
    }
}

void settleProbes(BreakerMemory& breaker, const GateReport& report)
{
    std::int32_t inFlight = std::max(report.probesInFlight, 0);
    for (ProbeSlot& slot : breaker.probes) {
        if (slot.agent != report.agent || slot.untilMs == kNeverMs) continue;
        if (--inFlight < 0) slot.untilMs = kNeverMs;
    }
}

std::int32_t grantProbes(
    GateState& state,
    const GateScene& scene,
    std::uint32_t agent,
    std::int64_t nowMs,
    const GateParams& params)
{
    if (state.breaker.state != BreakerState::HalfOpen) return 0;
    // Agents without demand would only keep the slots from the others.
    const std::int32_t most = scene.agentsWanting > 2 || scene.agentsWanting == 0 ? 1 : 3;
    std::int32_t granted = 0;
    for (ProbeSlot& slot : state.breaker.probes) {
        if (slot.untilMs > nowMs || granted == most) continue;
        slot = {.agent = agent, .untilMs = nowMs + params.validMs + params.probeTtlMs};
        ++granted;
    }
    return granted;
}

} // namespace weir::routing
