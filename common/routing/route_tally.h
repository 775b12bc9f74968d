// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/fixed_point.h"
#include "common/routing/incident_signal.h"
#include "common/routing/minute_ring.h"

#include <cstdint>

namespace weir::routing {

/// One minute of one route (model, provider), over all task types.
struct RouteTally
{
    std::int64_t calls = 0;
    std::int64_t successes = 0;
    std::int64_t failed = 0;
    std::int64_t rateLimited = 0;
    std::int64_t halvingCuts = 0;
    std::int64_t breakerOpenForMs = 0;

    /// Attempts that tell whether the provider works: neither 429s nor the caller's own doing.
    [[nodiscard]] std::int64_t judged() const { return successes + failed; }
};

using RouteRing = MinuteRing<RouteTally>;

/// Sums over the newest `minutes`.
[[nodiscard]] inline RouteTally sumOf(const RouteRing& ring, std::int64_t minutes)
{
    RouteTally sum;
    for (std::int64_t ago = 0; ago < minutes; ++ago) {
        const RouteTally& minute = ring.ago(ago);
        sum.calls += minute.calls;
        sum.successes += minute.successes;
        sum.failed += minute.failed;
        sum.rateLimited += minute.rateLimited;
        sum.halvingCuts += minute.halvingCuts;
    }
    return sum;
}

/// part / whole in ppm; 0 of nothing.
[[nodiscard]] inline std::int64_t sharePpm(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? mulDiv(part, 1'000'000, whole) : 0;
}

/// The detectors of a route (routing.md section 11). Pure: the ring's newest minute is judged.

/// rate_limit_burst: a cut for 429s, or 429s of at least 5 % and 20 in 5 minutes; closes when they
/// are below 1 % of 10 minutes none of which is bad by itself. Severity: their share of the minute,
/// ppm.
[[nodiscard]] IncidentSignal judgeRateLimits(const RouteRing& ring, bool isOpen);

/// outage: the breaker not closed for 60 s, or less than half of at least 20 answers of 2 minutes
/// good; closes after 5 minutes without either. Severity: failed share of the minute, ppm.
[[nodiscard]] IncidentSignal judgeOutage(const RouteRing& ring, bool isOpen);

/// partial_errors: more than 10 % failed in each of 3 minutes with at least 30 answers; closes when
/// less than 5 % of 10 minutes failed, none of which is bad by itself. Severity: failed share of
/// the minute, ppm.
[[nodiscard]] IncidentSignal judgeErrors(const RouteRing& ring, bool isOpen);

} // namespace weir::routing
