// SPDX-License-Identifier: Apache-2.0
#include "common/routing/cohort_ring.h"

#include <algorithm>
#include <bit>

namespace weir::routing {
namespace {

constexpr std::int64_t kCountMax = 1'000'000'000;
constexpr std::int64_t kWindowMs = 60'000;
constexpr std::int64_t kWindowAttempts = 50;

void addCount(std::int32_t& to, std::int32_t from)
{
    const std::int64_t sum = std::int64_t{to} + from;
    to = static_cast<std::int32_t>(std::clamp(sum, -kCountMax, kCountMax));
}

std::size_t slotOf(std::int64_t startMs)
{
    constexpr auto kBuckets = static_cast<std::int64_t>(CohortRing::kBuckets);
    const std::int64_t slot = startMs / kCohortMs % kBuckets;
    return static_cast<std::size_t>(slot < 0 ? slot + kBuckets : slot);
}

} // namespace

std::int64_t attemptsOf(const Cohort& cohort)
{
    const std::int64_t silent = std::int64_t{cohort.neutral} + cohort.creditRefused +
                                cohort.authRefused + cohort.misconfigured;
    const std::int64_t ended = std::int64_t{cohort.ok} + cohort.rateLimited + cohort.failed;
    return std::max({cohort.dispatched - silent, ended, std::int64_t{0}});
}

void add(Cohort& to, const Cohort& from)
{
    addCount(to.dispatched, from.dispatched);
    addCount(to.ok, from.ok);
    addCount(to.rateLimited, from.rateLimited);
    addCount(to.failed, from.failed);
    addCount(to.breakerHalves, from.breakerHalves);
    addCount(to.creditRefused, from.creditRefused);
    addCount(to.authRefused, from.authRefused);
    addCount(to.misconfigured, from.misconfigured);
    addCount(to.neutral, from.neutral);
    to.failedSeconds = static_cast<std::uint8_t>(to.failedSeconds | from.failedSeconds);
}

void CohortRing::merge(const Cohort& cohort, std::int64_t nowMs)
{
    const std::int64_t start = bucketOf(std::min(cohort.startMs, nowMs));
    if (nowMs - start <= kEvidenceMaxMs) add(at(start), cohort);
}

Cohort& CohortRing::at(std::int64_t ms)
{
    const std::int64_t start = bucketOf(ms);
    Cohort& bucket = buckets[slotOf(start)];
    if (bucket.startMs != start) bucket = Cohort{.startMs = start};
    return bucket;
}

const Cohort* CohortRing::find(std::int64_t startMs) const
{
    const Cohort& bucket = buckets[slotOf(startMs)];
    return bucket.startMs == startMs ? &bucket : nullptr;
}

void Evidence::add(const Cohort& cohort)
{
    const std::int64_t all = attemptsOf(cohort);
    attempts += all;
    ok += cohort.ok;
    rateLimited += cohort.rateLimited;
    failures += std::int64_t{cohort.rateLimited} + cohort.failed;
    breakerAttempts += all - cohort.rateLimited;
    breakerHalves += cohort.breakerHalves;
    failingSeconds += std::popcount(cohort.failedSeconds);
}

Evidence sumOf(const CohortRing& ring, std::int64_t fromMs, std::int64_t toMs)
{
    Evidence sum;
    for (std::int64_t start = bucketOf(fromMs); start < toMs; start += kCohortMs) {
        if (start < fromMs) continue;
        if (const Cohort* cohort = ring.find(start)) sum.add(*cohort);
    }
    return sum;
}

Evidence evidenceOf(const CohortRing& ring, std::int64_t fromMs, std::int64_t nowMs)
{
    Evidence sum;
    const std::int64_t oldest = std::max(fromMs, nowMs - kEvidenceMaxMs);
    for (std::int64_t start = bucketOf(nowMs); start >= oldest; start -= kCohortMs) {
        if (const Cohort* cohort = ring.find(start)) sum.add(*cohort);
        if (nowMs - start >= kWindowMs && sum.attempts >= kWindowAttempts) break;
    }
    return sum;
}

Evidence
newestEnded(const CohortRing& ring, std::int64_t fromMs, std::int64_t nowMs, std::int64_t atLeast)
{
    Evidence sum;
    const std::int64_t oldest = std::max(fromMs, nowMs - kEvidenceMaxMs);
    for (std::int64_t start = bucketOf(nowMs); start >= oldest; start -= kCohortMs) {
        const Cohort* cohort = ring.find(start);
        if (cohort == nullptr) continue;
        sum.add(*cohort);
        if (sum.ok + sum.failures >= atLeast) break;
    }
    return sum;
}

} // namespace weir::routing
