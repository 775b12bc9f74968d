// SPDX-License-Identifier: Apache-2.0
#include "common/routing/aimd.h"

#include "common/base/fixed_point.h"
#include "common/routing/load_cap.h"
#include "common/routing/quota_rate.h"
#include "common/routing/slow_start.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::int64_t kFloorMicro = 16'667;
constexpr std::int64_t kCutApartMs = 5'000;
constexpr std::int64_t kQuietMs = 1'800'000;
constexpr std::int64_t kTroubleMs = 60'000;
constexpr std::int64_t kNanoPerAttempt = 1'000'000'000;
/// 2^32 * (1 - 2^(-5 s / half-life)), for half-lives of 24 and 16 hours.
constexpr std::int64_t kLoss24h = 172279;
constexpr std::int64_t kLoss16h = 258416;

std::int64_t rateOf(std::int64_t attempts, std::int64_t ms)
{
    return ms <= 0 ? 0 : std::min(attempts * kNanoPerAttempt / ms, kMicroMax);
}

/// value * (1 - loss / 2^32)^epochs, rounded down.
std::int64_t decayed(std::int64_t value, std::int64_t loss, std::int64_t epochs)
{
    constexpr std::int64_t kOne = std::int64_t{1} << 32;
    Int128 keep = kOne;
    Int128 power = kOne - loss;
    for (std::int64_t left = epochs; left > 0; left /= 2) {
        if (left % 2 != 0) keep = keep * power / kOne;
        power = power * power / kOne;
    }
    return static_cast<std::int64_t>(value * keep / kOne);
}

/// Attempts per second now, from several windows, the largest: a cut must not take a route to its
/// floor because its load has only just come, or because few attempts scatter.
std::int64_t useAtCut(const GateState& state, std::int64_t atMs)
{
    const std::int64_t bucket = bucketOf(atMs);
    const std::int64_t minute = sumOf(state.cohorts, bucket - 60'000, bucket).attempts;
    std::int64_t use = std::max(state.rate.usedMicro, rateOf(minute, 60'000));
    const std::int64_t last = sumOf(state.cohorts, bucket - kCohortMs, bucket).attempts;
    const std::int64_t age = atMs - bucket;
    use = std::max(use, rateOf(last, kCohortMs));
    if (age < 1000) return use;
    const Cohort* partial = state.cohorts.find(bucket);
    if (partial == nullptr) return use;
    return std::max(use, rateOf(last + attemptsOf(*partial), kCohortMs + age));
}

/// More than one in ten fail, and not by the chance of one in twenty: below 200 attempts the excess
/// must be three standard deviations of a route with 5 % errors, or restarting the evidence after
/// a cut would itself cause cuts.
bool overTenPercent(const Evidence& evidence)
{
    if (evidence.attempts < 50 || evidence.failures * 10 <= evidence.attempts) return false;
    const std::int64_t excess = 20 * evidence.failures - evidence.attempts;
    return evidence.attempts >= 200 || excess * excess > 171 * evidence.attempts;
}

bool cutIsDue(const Evidence& evidence)
{
    if (evidence.failingSeconds < 3) return false;
    return overTenPercent(evidence) ||
           (evidence.attempts >= 8 && evidence.failures * 2 >= evidence.attempts);
}

/// Below the sampling floor the newest attempts alone decide, about those of 15 s: old failures
/// would block the climb for minutes where attempts are few (routing.md section 18).
bool newestAreGood(const GateState& state, std::int64_t atMs)
{
    const std::int64_t expected = state.rate.rateMicro * 15 / 1'000'000;
    const Evidence newest = newestEnded(
        state.cohorts, state.rate.evidenceFromMs, atMs, std::clamp<std::int64_t>(expected, 1, 20));
    return newest.failures * 10 <= newest.ok + newest.failures;
}

bool hasFloor(const GateScene& scene)
{
    return scene.floor > 0;
}

std::int64_t
grown(const GateState& state, const GateScene& scene, std::int64_t atMs, std::int64_t ceiling)
{
    const std::int64_t rate = state.rate.rateMicro;
    if (hasFloor(scene) && rate < scene.sampling) {
        if (!newestAreGood(state, atMs)) return rate;
        return std::min(scene.sampling, rate + rate / 2);
    }
    if (state.rate.usedMicro * 10 < limitOf(state, scene) * 7) return rate;
    const Evidence evidence = evidenceOf(state.cohorts, state.rate.evidenceFromMs, atMs);
    if (evidence.rateLimited * 20 > evidence.attempts) return rate;
    if (!hasFloor(scene) && evidence.ok == 0) return rate;
    const bool quiet =
        atMs - state.rate.lastCutMs >= kQuietMs && evidence.failures * 50 <= evidence.attempts;
    const std::int64_t step =
        quiet ? rate / 2 : std::max(state.rate.referenceMicro, scene.group) / 60;
    return std::max(rate, std::min(rate + step, ceiling));
}

/// The largest use of the last ten minutes: a quiet quarter of a minute is not disuse.
std::int64_t peakUse(const GateState& state, std::int64_t atMs)
{
    std::int64_t peak = 0;
    const std::int64_t oldest = atMs - kEvidenceMaxMs;
    for (const Cohort& cohort : state.cohorts.buckets) {
        if (cohort.startMs >= oldest) peak = std::max(peak, attemptsOf(cohort));
    }
    return rateOf(peak, kCohortMs);
}

} // namespace

std::int64_t limitOf(const GateState& state, const GateScene& scene)
{
    const std::int64_t rate = state.rate.rateMicro;
    const std::int64_t capped = state.cap.capMicro < 0 ? rate : std::min(rate, state.cap.capMicro);
    const std::int64_t limit = std::max(capped, scene.floor);
    return scene.quota < 0 ? limit : std::min(limit, scene.quota);
}

GateScene sceneOf(GateState& state, std::int64_t nowMs, const GateParams& params)
{
    constexpr std::int64_t kWantMs = 5'000;
    std::erase_if(
        state.wants, [nowMs](const AgentWant& want) { return nowMs - want.seenMs >= kWantMs; });
    GateScene scene;
    for (const AgentWant& want : state.wants) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < kGateClasses; ++i) {
            scene.wants[i] = std::min(scene.wants[i] + want.wantMicro[i], kMicroMax);
            sum += want.wantMicro[i];
        }
        scene.group = std::min(scene.group + std::max(want.groupMicro, sum), kMicroMax);
        scene.agentsWanting += sum > 0 ? 1 : 0;
        ++scene.agents;
    }
    for (const std::int64_t want : scene.wants)
        scene.demand += want;
    if (params.rules.rateFloor)
        scene.floor = std::max(state.rate.referenceMicro / 100, kFloorMicro);
    if (params.rateMaxMilliRps >= 0) {
        scene.most = std::min(params.rateMaxMilliRps * kMicroPerMilli, kMicroMax);
        scene.floor = std::min(scene.floor, scene.most);
    }
    scene.sampling = scene.group / 20;
    scene.quota = quotaMicro(params.quota, state.quota);
    return scene;
}

void setRate(GateState& state, const GateScene& scene, std::int64_t rateMicro)
{
    std::int64_t rate = std::min(std::max(rateMicro, scene.floor), scene.most);
    if (!hasFloor(scene) && rate < kFloorMicro) rate = 0;
    if (rate == state.rate.rateMicro) return;
    state.rate.rateMicro = rate;
    ++state.version;
}

void measureUse(GateState& state, std::int64_t atMs, std::int64_t epochs)
{
    const std::int64_t end = bucketOf(atMs - 1000);
    const std::int64_t last = sumOf(state.cohorts, end - kCohortMs, end).attempts;
    const std::int64_t both =
        last + sumOf(state.cohorts, end - 2 * kCohortMs, end - kCohortMs).attempts;
    const std::int64_t tenSeconds = rateOf(both, 2 * kCohortMs);
    state.rate.usedMicro = std::max(rateOf(last, kCohortMs), tenSeconds);
    state.rate.referenceMicro =
        std::max(tenSeconds, decayed(state.rate.referenceMicro, kLoss16h, epochs));
}

void cutIfDue(
    GateState& state, const GateScene& scene, std::int64_t atMs, std::vector<GateEvent>& events)
{
    RateMemory& memory = state.rate;
    if (atMs - memory.lastCutMs < kCutApartMs || memory.rateMicro <= scene.floor) return;
    const Evidence evidence = evidenceOf(state.cohorts, memory.evidenceFromMs, atMs);
    if (!cutIsDue(evidence)) return;
    const std::int64_t use = useAtCut(state, atMs);
    const std::int64_t base = std::min(memory.rateMicro, use);
    const bool rateLimits = evidence.rateLimited * 2 >= evidence.failures;
    const std::int64_t before = memory.rateMicro;
    if (atMs - memory.troubleMs > kTroubleMs) memory.beforeTroubleMicro = before;
    memory.troubleMs = atMs;
    if (rateLimits) learnKnee(state, atMs, evidence, events);
    setRate(state, scene, rateLimits ? base / 2 : base / 5 * 4);
    memory.lastCutMs = atMs;
    memory.evidenceFromMs = evidenceAfter(atMs);
    memory.grownSinceCut = false;
    restartCleanRun(state, atMs);
    events.push_back(
        {.kind = GateEventKind::Cut,
         .atMs = atMs,
         .beforeMilliRps = before / kMicroPerMilli,
         .afterMilliRps = memory.rateMicro / kMicroPerMilli,
         .usedMilliRps = use / kMicroPerMilli,
         .attempts = evidence.attempts,
         .failures = evidence.failures});
}

void growIfDue(
    GateState& state,
    const GateScene& scene,
    std::int64_t atMs,
    std::int64_t epochs,
    std::vector<GateEvent>& events)
{
    RateMemory& memory = state.rate;
    if (atMs - memory.lastCutMs < kCutApartMs || atMs < memory.frozenUntilMs) return;
    const std::int64_t before = memory.rateMicro;
    if (memory.slowStart) {
        slowStart(state, scene, atMs, events);
        return;
    }
    const std::int64_t ceiling = 2 * std::max(memory.usedMicro, scene.sampling);
    std::int64_t rate = grown(state, scene, atMs, ceiling);
    if (scene.quota >= 0) rate = std::max(before, std::min(rate, scene.quota));
    // A memory younger than the ten minutes of the peak has not seen disuse.
    if (rate == before && atMs - state.startedMs > kEvidenceMaxMs) {
        const std::int64_t used = 2 * std::max(peakUse(state, atMs), scene.sampling);
        if (rate > used) rate = used + decayed(rate - used, kLoss24h, epochs);
    }
    setRate(state, scene, rate);
    if (memory.rateMicro <= before || memory.grownSinceCut) return;
    memory.grownSinceCut = true;
    events.push_back(
        {.kind = GateEventKind::GrowthRestarted,
         .atMs = atMs,
         .beforeMilliRps = before / kMicroPerMilli,
         .afterMilliRps = memory.rateMicro / kMicroPerMilli,
         .usedMilliRps = memory.usedMicro / kMicroPerMilli});
}

} // namespace weir::routing
