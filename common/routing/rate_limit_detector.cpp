// SPDX-License-Identifier: Apache-2.0
#include "common/routing/route_tally.h"

namespace weir::routing {
namespace {

constexpr std::int64_t kOpenMinutes = 5;
constexpr std::int64_t kOpenCount = 20;
constexpr std::int64_t kCloseMinutes = 10;

bool hasFivePercent(const RouteTally& tally)
{
    return tally.rateLimited > 0 && tally.rateLimited * 20 >= tally.calls;
}

bool isBad(const RouteTally& minute)
{
    return minute.halvingCuts > 0 || hasFivePercent(minute);
}

bool isUneasy(const RouteTally& minute)
{
    return minute.halvingCuts > 0 ||
           (minute.rateLimited > 0 && minute.rateLimited * 100 >= minute.calls);
}

bool shouldOpen(const RouteRing& ring)
{
    if (ring.ago(0).halvingCuts > 0) return true;
    const RouteTally sum = sumOf(ring, kOpenMinutes);
    return sum.rateLimited >= kOpenCount && hasFivePercent(sum);
}

bool shouldClose(const RouteRing& ring)
{
    return ring.known() >= kCloseMinutes && calmMinutes(ring, isBad) >= kCloseMinutes &&
           !isUneasy(sumOf(ring, kCloseMinutes));
}

} // namespace

IncidentSignal judgeRateLimits(const RouteRing& ring, bool isOpen)
{
    IncidentSignal signal;
    const RouteTally& now = ring.ago(0);
    signal.severity = sharePpm(now.rateLimited, now.calls);
    if (!isOpen && shouldOpen(ring)) {
        const RouteTally sum = sumOf(ring, kOpenMinutes);
        signal.turn = Turn::Open;
        signal.minutesAgo = onsetAgo(ring, kOpenMinutes, isBad);
        signal.detail = std::to_string(sum.rateLimited) + " of " + std::to_string(sum.calls) +
                        " calls limited in 5 min, " + std::to_string(sum.halvingCuts) +
                        " cuts of the permitted rate";
    } else if (isOpen && shouldClose(ring)) {
        signal.turn = Turn::Close;
        signal.minutesAgo = calmMinutes(ring, isUneasy) - 1;
        signal.detail = "429s below 1 % for 10 min";
    }
    return signal;
}

} // namespace weir::routing
