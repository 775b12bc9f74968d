// SPDX-License-Identifier: Apache-2.0
#include "common/routing/load_cap.h"

#include "common/routing/latency_knee.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kKneeApartMinMs = 60'000;
constexpr std::int64_t kKneeApartMaxMs = 1'800'000;
constexpr std::int64_t kCleanRun = 100;
/// By then a 429 has been reported.
constexpr std::int64_t kSettledMs = 15'000;
constexpr std::int64_t kUnconfirmedMs = std::int64_t{14} * 86'400'000;

GateEvent capEvent(GateEventKind kind, std::int64_t atMs, std::int64_t before, std::int64_t after)
{
    return {
        .kind = kind,
        .atMs = atMs,
        .beforeMilliRps = before < 0 ? -1 : before / kMicroPerMilli,
        .afterMilliRps = after < 0 ? -1 : after / kMicroPerMilli};
}

void countSettled(GateState& state, std::int64_t atMs)
{
    CapMemory& cap = state.cap;
    const std::int64_t end = bucketOf(atMs - kSettledMs);
    const std::int64_t begin = std::max(cap.countedToMs, end - kEvidenceMaxMs);
    for (std::int64_t start = bucketOf(begin); start < end; start += kCohortMs) {
        const Cohort* cohort = start < begin ? nullptr : state.cohorts.find(start);
        if (cohort == nullptr) continue;
        const std::int64_t attempts = attemptsOf(*cohort);
        cap.cleanRun = cohort->rateLimited > 0 ? 0 : cap.cleanRun + attempts;
        cap.cleanSeen = cap.cleanSeen || cap.cleanRun >= kCleanRun;
        cap.attempts += attempts;
        cap.rateLimited += cohort->rateLimited;
    }
    cap.countedToMs = std::max(cap.countedToMs, end);
}

std::int64_t sharePpm(std::int64_t part, std::int64_t whole)
{
    return whole <= 0 ? 0 : part * 1'000'000 / whole;
}

} // namespace

void restartCleanRun(GateState& state, std::int64_t atMs)
{
    state.cap.cleanRun = 0;
    state.cap.cleanSeen = false;
    state.cap.countedToMs = evidenceAfter(atMs);
}

void forgetCap(
    GateState& state, std::int64_t atMs, GateEventKind kind, std::vector<GateEvent>& events)
{
    if (state.cap.capMicro < 0) return;
    events.push_back(capEvent(kind, atMs, state.cap.capMicro, -1));
    const CapMemory old = state.cap;
    state.cap = CapMemory{
        .minuteMs = old.minuteMs,
        .cleanRun = old.cleanRun,
        .cleanSeen = old.cleanSeen,
        .countedToMs = old.countedToMs};
}

void learnKnee(
    GateState& state, std::int64_t atMs, const Evidence& evidence, std::vector<GateEvent>& events)
{
    CapMemory& cap = state.cap;
    const std::int64_t apart = atMs - state.rate.lastCutMs;
    if (apart < kKneeApartMinMs || apart > kKneeApartMaxMs || !cap.cleanSeen) return;
    const std::int64_t end = bucketOf(atMs);
    const Evidence minute = sumOf(state.cohorts, end - kMinuteMs, end);
    const std::int64_t accepted = (minute.attempts - minute.failures) * 1'000'000 / 60;
    if (accepted <= 0) return;
    const std::int64_t before = cap.capMicro;
    const std::int64_t share = sharePpm(cap.rateLimited, cap.attempts);
    const std::int64_t next = accepted / 100 * 95;
    const bool fell = before >= 0 && next < before;
    if (fell && cap.falls > 0 && share * 2 > cap.shareBeforePpm) {
        forgetCap(state, atMs, GateEventKind::UnloadedRateLimit, events);
        return;
    }
    cap.falls = fell ? cap.falls + 1 : std::max(cap.falls, 1);
    cap.shareBeforePpm = before < 0 ? sharePpm(evidence.rateLimited, evidence.attempts) : share;
    cap.attempts = 0;
    cap.rateLimited = 0;
    setCap(state, next, accepted, atMs, events);
}

void setCap(
    GateState& state,
    std::int64_t capMicro,
    std::int64_t kneeMicro,
    std::int64_t atMs,
    std::vector<GateEvent>& events)
{
    events.push_back(capEvent(GateEventKind::CapLearned, atMs, state.cap.capMicro, capMicro));
    state.cap.capMicro = capMicro;
    state.cap.kneeMicro = kneeMicro;
    state.cap.confirmedMs = atMs;
}

void advanceCap(
    GateState& state, const GateScene& scene, std::int64_t atMs, std::vector<GateEvent>& events)
{
    CapMemory& cap = state.cap;
    countSettled(state, atMs);
    if (atMs - cap.minuteMs < kMinuteMs) return;
    cap.minuteMs = atMs;
    const std::int64_t end = bucketOf(atMs - 1000);
    const Evidence minute = sumOf(state.cohorts, end - kMinuteMs, end);
    const std::int64_t used = minute.attempts * 1'000'000 / 60;
    watchLatency(state, scene, used, atMs, events);
    if (cap.capMicro < 0) return;
    const std::int64_t before = cap.capMicro;
    const bool edge = minute.rateLimited * 100 >= minute.attempts && minute.attempts > 0 &&
                      minute.rateLimited * 20 <= minute.attempts;
    if (edge) cap.confirmedMs = atMs;
    if (!isSlowish(state.latency) && minute.rateLimited * 100 < minute.attempts &&
        used >= before / 10 * 8) {
        const bool near = before > cap.kneeMicro / 10 * 9 && before < cap.kneeMicro / 100 * 115;
        cap.capMicro = std::min(before + before / (near ? 100 : 20), kMicroMax);
        cap.confirmedMs = atMs;
        events.push_back(capEvent(GateEventKind::CapRaised, atMs, before, cap.capMicro));
    }
    const bool far = cap.capMicro > 2 * std::max(used, cap.kneeMicro);
    if (far || atMs - cap.confirmedMs > kUnconfirmedMs) {
        forgetCap(state, atMs, GateEventKind::CapForgotten, events);
    }
}

} // namespace weir::routing
