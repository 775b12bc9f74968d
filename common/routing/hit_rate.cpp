// SPDX-License-Identifier: Apache-2.0
#include "common/routing/hit_rate.h"

#include "common/base/fixed_point.h"
#include "common/model/policy.h"
#include "common/routing/route_history.h"

#include <algorithm>
#include <cmath>

namespace weir::routing {
namespace {

constexpr std::int64_t kDayMs = 24LL * 60 * kMinuteMs;
constexpr std::int64_t kFreshMs = 7 * kDayMs;
constexpr double kHalfLifeMs = 14.0 * 24 * 60 * 60 * 1000;
constexpr std::int64_t kLeaderPpm = 500'000;
constexpr std::int64_t kCappedPpm = 300'000;
/// The summaries of one steady state stand five minutes apart; a longer gap breaks it.
constexpr std::int64_t kStepMs = 5 * kMinuteMs;
constexpr std::int64_t kGapMs = 2 * kStepMs;
/// 15 minutes after promotion do not count, and six summaries of five minutes do.
constexpr std::int64_t kSteadyMs = 45 * kMinuteMs;
constexpr std::int64_t kSteadyCalls = 200;
constexpr std::int64_t kSlopePpm = 10'000;
/// A steady state is averaged over at most so many calls, and weighs at most so many.
constexpr std::int64_t kAveragedCalls = 2000;
constexpr std::int64_t kWeighedCalls = 1000;

std::int64_t rate(std::int64_t cached, std::int64_t input)
{
    return input > 0 ? mulDiv(cached, kPpm, input) : 0;
}

bool hasLeadersShare(const HitObservation& seen)
{
    const std::int64_t needed = seen.capped ? kCappedPpm : kLeaderPpm;
    return seen.poolCalls5m > 0 && mulDiv(seen.calls5m, kPpm, seen.poolCalls5m) >= needed;
}

} // namespace

std::int64_t hitWeightPpm(std::int64_t ageMs)
{
    if (ageMs <= kFreshMs) return kPpm;
    return std::llround(
        static_cast<double>(kPpm) *
        std::exp2(-static_cast<double>(ageMs - kFreshMs) / kHalfLifeMs));
}

HitRate nextHitRate(
    const HitRate& previous,
    const HitObservation& seen,
    std::int64_t nowMs,
    std::int64_t previousMs)
{
    HitRate next = previous;
    next.observedPpm.reset();
    if (seen.input48h > 0) next.observedPpm = rate(seen.cached48h, seen.input48h);
    const bool unbroken = previous.leadingSinceMs != 0 && nowMs - previousMs <= kGapMs;
    next.leadingSinceMs = 0;
    if (hasLeadersShare(seen)) {
        next.leadingSinceMs = unbroken ? previous.leadingSinceMs : nowMs - kStepMs;
        const std::int64_t before = rate(seen.cachedBefore, seen.inputBefore);
        const std::int64_t now = rate(seen.cached15m, seen.input15m);
        const bool moves = std::abs(now - before) >= kSlopePpm;
        const bool measured = seen.inputBefore > 0 && seen.input15m > 0;
        if (nowMs - next.leadingSinceMs >= kSteadyMs && seen.calls30m >= kSteadyCalls && measured &&
            !moves) {
            const std::int64_t hits =
                rate(seen.cached15m + seen.cachedBefore, seen.input15m + seen.inputBefore);
            const bool goesOn = unbroken && previous.steadyPpm &&
                                previous.steadyEndMs - previous.leadingSinceMs >= kSteadyMs;
            // Half an hour is a small sample of a rate that differs from prompt to prompt.
            const std::int64_t held = goesOn ? std::min(previous.steadyCalls, kAveragedCalls) : 0;
            const std::int64_t added = goesOn ? seen.calls5m : seen.calls30m;
            const std::int64_t kept = previous.steadyPpm.value_or(0);
            next.steadyPpm = (kept * held + hits * added) / (held + added);
            next.steadyCalls = held + added;
            next.steadyEndMs = nowMs;
        }
    }
    next.weightPpm = next.steadyPpm ? hitWeightPpm(nowMs - next.steadyEndMs) : 0;
    return next;
}

void settleHitRates(std::span<HitRate* const> routes, std::int64_t observedPpm)
{
    Int128 weights = 0;
    Int128 sum = 0;
    for (const HitRate* route : routes) {
        if (!route->steadyPpm) continue;
        const std::int64_t weight = route->weightPpm * std::min(route->steadyCalls, kWeighedCalls);
        weights += weight;
        sum += static_cast<Int128>(weight) * *route->steadyPpm;
    }
    const std::int64_t pool =
        weights > 0 ? static_cast<std::int64_t>((sum + weights / 2) / weights) : observedPpm;
    for (HitRate* route : routes) {
        route->poolPpm = pool;
        const std::int64_t own = route->steadyPpm.value_or(pool);
        route->usedPpm = pool + mulDiv(own - pool, route->weightPpm, kPpm);
    }
}

} // namespace weir::routing
