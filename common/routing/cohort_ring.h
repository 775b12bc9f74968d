// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/gate.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace weir::routing {

/// "Long ago": far enough from every time, near enough that differences do not overflow.
inline constexpr std::int64_t kNeverMs = -(std::int64_t{1} << 60);

/// Evidence is never older (routing.md section 4).
inline constexpr std::int64_t kEvidenceMaxMs = 600'000;

/// The largest multiple of `unit` that is not above `ms`, below zero, too.
[[nodiscard]] constexpr std::int64_t floorTo(std::int64_t ms, std::int64_t unit)
{
    const std::int64_t rest = ms % unit;
    return ms - (rest < 0 ? rest + unit : rest);
}

/// Start of the bucket that holds `ms`.
[[nodiscard]] constexpr std::int64_t bucketOf(std::int64_t ms)
{
    return floorTo(ms, kCohortMs);
}

/// What is dispatched from `atMs` on is new evidence; a bucket begun before is old.
[[nodiscard]] constexpr std::int64_t evidenceAfter(std::int64_t atMs)
{
    const std::int64_t bucket = bucketOf(atMs);
    return bucket == atMs ? atMs : bucket + kCohortMs;
}

/// Attempts that say something about the route, those in flight among them.
[[nodiscard]] std::int64_t attemptsOf(const Cohort& cohort);

/// Adds the counts of `from`; every count stays within +-1,000,000,000.
void add(Cohort& to, const Cohort& from);

/// The last eleven minutes of a route, by time of dispatch.
struct CohortRing
{
    static constexpr std::size_t kBuckets = 132;

    std::array<Cohort, kBuckets> buckets{};

    /// Counts what is at most ten minutes old; what lies in the future counts as now.
    void merge(const Cohort& cohort, std::int64_t nowMs);

    /// The bucket that holds `ms`; empties one that is of an earlier round.
    [[nodiscard]] Cohort& at(std::int64_t ms);

    /// The bucket starting at `startMs`; null where nothing was dispatched.
    [[nodiscard]] const Cohort* find(std::int64_t startMs) const;

    bool operator==(const CohortRing&) const = default;
};

/// Sums over cohorts.
struct Evidence
{
    std::int64_t attempts = 0;
    std::int64_t ok = 0;
    std::int64_t rateLimited = 0;
    /// 429s included.
    std::int64_t failures = 0;
    /// What the breaker judges: attempts less 429s, failures in halves.
    std::int64_t breakerAttempts = 0;
    std::int64_t breakerHalves = 0;
    /// Distinct seconds with a failure.
    int failingSeconds = 0;

    void add(const Cohort& cohort);
};

/// All cohorts that start in [fromMs, toMs).
[[nodiscard]] Evidence sumOf(const CohortRing& ring, std::int64_t fromMs, std::int64_t toMs);

/// Newest first from `nowMs` back to `fromMs`: at least 60 s and 50 attempts, at most 10 minutes.
[[nodiscard]] Evidence evidenceOf(const CohortRing& ring, std::int64_t fromMs, std::int64_t nowMs);

/// The newest attempts that have ended, at least `atLeast` of them if there are so many.
[[nodiscard]] Evidence
newestEnded(const CohortRing& ring, std::int64_t fromMs, std::int64_t nowMs, std::int64_t atLeast);

} // namespace weir::routing
