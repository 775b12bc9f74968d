// SPDX-License-Identifier: Apache-2.0
#include "common/routing/route_tally.h"

namespace weir::routing {
namespace {

constexpr std::int64_t kBreakerMs = 60'000;
constexpr std::int64_t kOpenMinutes = 2;
constexpr std::int64_t kOpenCount = 20;
constexpr std::int64_t kCalmMinutes = 5;

bool mostFail(const RouteTally& tally)
{
    return tally.successes * 2 < tally.judged();
}

bool isBad(const RouteTally& minute)
{
    return minute.breakerOpenForMs > 0 || mostFail(minute);
}

bool shouldOpen(const RouteRing& ring)
{
    if (ring.ago(0).breakerOpenForMs >= kBreakerMs) return true;
    const RouteTally sum = sumOf(ring, kOpenMinutes);
    return sum.judged() >= kOpenCount && mostFail(sum);
}

} // namespace

IncidentSignal judgeOutage(const RouteRing& ring, bool isOpen)
{
    IncidentSignal signal;
    const RouteTally& now = ring.ago(0);
    signal.severity = sharePpm(now.failed, now.judged());
    if (!isOpen && shouldOpen(ring)) {
        const RouteTally sum = sumOf(ring, kOpenMinutes);
        signal.turn = Turn::Open;
        signal.minutesAgo = onsetAgo(ring, kOpenMinutes, isBad);
        signal.detail = std::to_string(sum.failed) + " of " + std::to_string(sum.judged()) +
                        " answers failed in 2 min";
        if (now.breakerOpenForMs > 0) {
            signal.detail +=
                ", breaker open for " + std::to_string(now.breakerOpenForMs / 1000) + " s";
        }
        return signal;
    }
    const std::int64_t calm = calmMinutes(ring, isBad);
    if (isOpen && calm >= kCalmMinutes && ring.known() >= kCalmMinutes) {
        signal.turn = Turn::Close;
        signal.minutesAgo = calm - 1;
        signal.detail = "breaker closed and answers good for 5 min";
    }
    return signal;
}

} // namespace weir::routing
