// SPDX-License-Identifier: Apache-2.0
#include "common/routing/latency_knee.h"

#include "common/routing/load_cap.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::int64_t kCountMax = 1'000'000'000;
constexpr std::int64_t kTtftMaxMs = 600'000;
constexpr std::int64_t kSampleLeast = 10;
constexpr int kMinutesToLearn = 2;
constexpr int kFallsMost = 2;

void learnUsual(LatencyMemory& latency, std::int64_t meanMs, bool lowLoad)
{
    if (latency.baseMs < 0) {
        latency.baseMs = meanMs;
        return;
    }
    // At high load the usual can only become better, or load would become usual.
    const std::int64_t step = (meanMs - latency.baseMs) / 8;
    if (lowLoad || step < 0) latency.baseMs += step;
}

void learnFromSlowness(
    GateState& state,
    const GateScene& scene,
    std::int64_t usedMicro,
    std::int64_t delivered,
    std::int64_t atMs,
    std::vector<GateEvent>& events)
{
    LatencyMemory& latency = state.latency;
    if (latency.slowMinutes < kMinutesToLearn || usedMicro * 10 <= scene.group) return;
    const std::int64_t cap = state.cap.capMicro;
    const bool moreThanFine = usedMicro * 4 > latency.healthyMicro * 5;
    const bool atTheCap = cap >= 0 && usedMicro * 10 >= cap * 8;
    const std::int64_t next = delivered / 10 * 9;
    if ((!moreThanFine && !atTheCap) || next <= 0 || (cap >= 0 && next >= cap)) return;
    latency.slowMinutes = 0;
    if (++latency.falls > kFallsMost) {
        // Less load did not make it faster: this is how it is now.
        latency.falls = 0;
        latency.baseMs = latency.lastMs;
        forgetCap(state, atMs, GateEventKind::CapForgotten, events);
        return;
    }
    setCap(state, next, delivered, atMs, events);
}

} // namespace

void noteLatency(LatencyMemory& latency, const GateReport& report)
{
    const auto count = [](std::int64_t n) { return std::clamp<std::int64_t>(n, 0, kCountMax); };
    latency.answers = count(latency.answers + count(report.answers));
    const std::int64_t more = count(report.ttftCount);
    latency.ttftCount = count(latency.ttftCount + more);
    latency.ttftSumMs += std::clamp<std::int64_t>(report.ttftSumMs, 0, more * kTtftMaxMs);
    latency.ttftSumMs = std::min(latency.ttftSumMs, latency.ttftCount * kTtftMaxMs);
}

bool isSlowish(const LatencyMemory& latency)
{
    return latency.baseMs >= 0 && latency.lastMs * 10 > latency.baseMs * 13;
}

void watchLatency(
    GateState& state,
    const GateScene& scene,
    std::int64_t usedMicro,
    std::int64_t atMs,
    std::vector<GateEvent>& events)
{
    LatencyMemory& latency = state.latency;
    const std::int64_t samples = latency.ttftCount;
    const std::int64_t mean = samples > 0 ? latency.ttftSumMs / samples : -1;
    const std::int64_t delivered = latency.answers * 1'000'000 / 60;
    latency.answers = 0;
    latency.ttftCount = 0;
    latency.ttftSumMs = 0;
    const std::int64_t before = latency.lastMs;
    latency.lastMs = samples < kSampleLeast ? -1 : mean;
    if (samples < kSampleLeast) return;
    const std::int64_t cap = state.cap.capMicro;
    const std::int64_t full = state.rate.referenceMicro;
    const bool lowLoad = usedMicro * 2 < (cap < 0 ? full : std::min(full, cap));
    const bool slow = latency.baseMs >= 0 && mean > 2 * latency.baseMs;
    if (!slow || lowLoad) learnUsual(latency, mean, lowLoad);
    if (slow) {
        ++latency.slowMinutes;
        // A queue takes its time to drain; while it does, the cap is right.
        if (cap >= 0 && mean * 20 < before * 19) return;
        learnFromSlowness(state, scene, usedMicro, delivered, atMs, events);
        return;
    }
    latency.slowMinutes = 0;
    latency.falls = 0;
    const std::int64_t lately = latency.healthyMicro - latency.healthyMicro / 16;
    latency.healthyMicro = mean * 2 <= latency.baseMs * 3 ? std::max(delivered, lately) : lately;
}

} // namespace weir::routing
