// SPDX-License-Identifier: Apache-2.0
#include "common/routing/route_tally.h"

namespace weir::routing {
namespace {

constexpr std::int64_t kOpenMinutes = 3;
constexpr std::int64_t kOpenCount = 30;
constexpr std::int64_t kCloseMinutes = 10;

bool isBad(const RouteTally& minute)
{
    return minute.failed * 10 > minute.judged();
}

bool isUneasy(const RouteTally& minute)
{
    return minute.failed > 0 && minute.failed * 20 >= minute.judged();
}

bool shouldOpen(const RouteRing& ring)
{
    for (std::int64_t ago = 0; ago < kOpenMinutes; ++ago) {
        if (!isBad(ring.ago(ago))) return false;
    }
    return sumOf(ring, kOpenMinutes).judged() >= kOpenCount;
}

bool shouldClose(const RouteRing& ring)
{
    return ring.known() >= kCloseMinutes && calmMinutes(ring, isBad) >= kCloseMinutes &&
           !isUneasy(sumOf(ring, kCloseMinutes));
}

} // namespace

IncidentSignal judgeErrors(const RouteRing& ring, bool isOpen)
{
    IncidentSignal signal;
    const RouteTally& now = ring.ago(0);
    signal.severity = sharePpm(now.failed, now.judged());
    if (!isOpen && shouldOpen(ring)) {
        const RouteTally sum = sumOf(ring, kOpenMinutes);
        signal.turn = Turn::Open;
        signal.minutesAgo = onsetAgo(ring, kOpenMinutes, isBad);
        signal.detail = std::to_string(sum.failed) + " of " + std::to_string(sum.judged()) +
                        " answers failed in 3 min";
    } else if (isOpen && shouldClose(ring)) {
        signal.turn = Turn::Close;
        signal.minutesAgo = calmMinutes(ring, isUneasy) - 1;
        signal.detail = "errors below 5 % for 10 min";
    }
    return signal;
}

} // namespace weir::routing
