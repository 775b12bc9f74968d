// SPDX-License-Identifier: Apache-2.0
#include "common/routing/share_plan.h"

#include "common/base/fixed_point.h"
#include "common/routing/leader.h"
#include "common/routing/plan.h"
#include "common/routing/score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace weir::routing {
namespace {

using Shares = std::vector<std::int64_t>;

/// Near-best band and how fast the weight falls inside it, of the leader's score.
constexpr std::int64_t kNearPpm = 950'000;
constexpr double kTemperature = 0.03;
/// Part of a known limit that is planned for.
constexpr std::int64_t kUsablePpm = 900'000;
/// Ramps in parts of the time between summaries: of 300 s, a promotion's step takes all of it, a
/// return or a step to what is known to be borne 120 s, a hand-over 90 s.
constexpr std::int64_t kVerifiedRampPpm = 400'000;
constexpr std::int64_t kDegradeRampPpm = 300'000;
constexpr std::int64_t kFirstStepPpm = 100'000;
/// Less than this is no move.
constexpr std::int64_t kStillPpm = 1000;

std::int64_t sum(const Shares& shares)
{
    return std::accumulate(shares.begin(), shares.end(), std::int64_t{0});
}

/// Scales to a sum of 1,000,000; what rounding leaves goes to `rest`.
void normalise(Shares& shares, std::size_t rest)
{
    const std::int64_t total = sum(shares);
    if (total <= 0) return;
    for (std::int64_t& share : shares)
        share = mulDiv(share, kPpm, total);
    shares[rest] += kPpm - sum(shares);
}

bool carries(const RouteFigures& route)
{
    return route.trusted && !route.slow && route.score > 0;
}

/// Weights of the near-best, by how near they score.
Shares nearBest(const PoolSummary& pool, std::size_t leader)
{
    const std::int64_t top = pool.routes[leader].score;
    Shares weights(pool.routes.size(), 0);
    for (std::size_t i = 0; i < pool.routes.size(); ++i) {
        const RouteFigures& route = pool.routes[i];
        if (!carries(route) || route.score < mulDiv(top, kNearPpm, kPpm)) continue;
        const double gap =
            static_cast<double>(std::min(route.score, top) - top) / static_cast<double>(kScoreOne);
        weights[i] = std::llround(std::exp(gap / kTemperature) * static_cast<double>(kPpm));
    }
    normalise(weights, leader);
    return weights;
}

/// The part of all calls that is drawn to explore, and so is not shared out; ppm.
std::int64_t exploredPpm(const PoolSummary& pool)
{
    std::int64_t tasks = 0;
    for (const RouteFigures& route : pool.routes)
        tasks += route.explorePpm;
    return std::clamp<std::int64_t>(mulDiv(tasks, pool.explorablePpm, kPpm), 0, kPpm / 2);
}

/// What a route is known to bear, as a share of the traffic that is shared out. (As a share of all
/// traffic a route that was cut would be used too little for its rate to grow.)
std::int64_t limitPpm(const PoolSummary& pool, std::size_t route)
{
    const std::int64_t limit = pool.routes[route].limitMilliRps;
    if (limit < 0 || pool.demandMilliRps <= 0) return std::numeric_limits<std::int64_t>::max();
    return mulDiv(mulDiv(limit, kUsablePpm, pool.demandMilliRps), kPpm, kPpm - exploredPpm(pool));
}

/// Takes from routes above what they bear and gives to the next in order that have room. What fits
/// nowhere stays where preference put it: the gate decides then.
Shares waterFill(const Shares& wanted, const PoolSummary& pool)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (carries(pool.routes[i])) order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&pool](std::size_t a, std::size_t b) {
        return pool.routes[a].rank < pool.routes[b].rank;
    });
    Shares shares = wanted;
    std::int64_t excess = 0;
    for (const std::size_t i : order) {
        const std::int64_t over = std::max<std::int64_t>(0, shares[i] - limitPpm(pool, i));
        shares[i] -= over;
        excess += over;
    }
    for (const std::size_t i : order) {
        const std::int64_t room = limitPpm(pool, i) - shares[i];
        const std::int64_t taken =
            std::clamp<std::int64_t>(excess, 0, std::max<std::int64_t>(room, 0));
        shares[i] += taken;
        excess -= taken;
    }
    for (std::size_t i = 0; i < shares.size(); ++i)
        shares[i] += mulDiv(wanted[i], excess, kPpm);
    return shares;
}

bool failing(const RouteFigures& route)
{
    return !route.trusted || route.slow || route.ttftUs.state == WindowState::Lowered ||
           route.milliTps.state == WindowState::Lowered;
}

/// Some route hands over because it got worse or carries too much, not because another is better.
bool isDegrade(const Shares& now, const Shares& target, const PoolSummary& pool)
{
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] <= target[i] + kStillPpm) continue;
        if (failing(pool.routes[i])) return true;
        if (now[i] > limitPpm(pool, i)) return true;
    }
    return false;
}

/// One step of a promotion: nobody more than doubles; those that hand over keep the rest.
Shares promotionStep(const Shares& now, const Shares& target)
{
    Shares step = target;
    std::int64_t kept = 0;
    std::int64_t losing = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (target[i] > now[i]) {
            step[i] = std::min(target[i], std::max(2 * now[i], kFirstStepPpm));
            kept += target[i] - step[i];
        } else {
            losing += now[i] - target[i];
        }
    }
    if (losing == 0) return target;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (target[i] < now[i]) step[i] += mulDiv(now[i] - target[i], kept, losing);
    }
    return step;
}

bool verified(const Shares& now, const Shares& target, const PoolSummary& pool)
{
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (target[i] <= now[i] + kStillPpm) continue;
        if (pool.routes[i].limitMilliRps < 0) return false;
        if (target[i] > limitPpm(pool, i)) return false;
    }
    return true;
}

Shares sharesNow(const PoolSummary& previous, const PoolSummary& next, std::int64_t nowMs)
{
    Shares now(next.routes.size(), 0);
    for (std::size_t i = 0; i < next.routes.size(); ++i) {
        const std::optional<std::size_t> old = indexOf(previous, next.routes[i].provider);
        if (old) now[i] = shareAt(previous, *old, nowMs);
    }
    return now;
}

void publish(
    PoolSummary& next,
    const Shares& from,
    const Shares& to,
    std::int64_t nowMs,
    std::int64_t rampMs)
{
    next.rampStartMs = nowMs;
    next.rampMs = rampMs;
    for (std::size_t i = 0; i < next.routes.size(); ++i) {
        next.routes[i].shareFromPpm = from[i];
        next.routes[i].shareToPpm = to[i];
    }
}

} // namespace

std::int64_t shareAt(const PoolSummary& pool, std::size_t index, std::int64_t nowMs)
{
    const RouteFigures& route = pool.routes[index];
    if (pool.rampMs <= 0) return route.shareToPpm;
    const std::int64_t gone = std::clamp<std::int64_t>(nowMs - pool.rampStartMs, 0, pool.rampMs);
    return route.shareFromPpm + mulDiv(route.shareToPpm - route.shareFromPpm, gone, pool.rampMs);
}

void planShares(const PoolSummary* previous, PoolSummary& next, std::int64_t nowMs)
{
    const std::optional<std::size_t> leader = indexOf(next, next.leader);
    const Shares none(next.routes.size(), 0);
    if (!leader || !carries(next.routes[*leader])) return publish(next, none, none, nowMs, 0);

    Shares target = waterFill(nearBest(next, *leader), next);
    normalise(target, *leader);
    Shares now = previous != nullptr ? sharesNow(*previous, next, nowMs) : none;
    normalise(now, *leader);
    if (sum(now) == 0) return publish(next, target, target, nowMs, 0);

    const bool returned = next.displaced == next.leader;
    if (returned) next.displaced.clear();
    if ((returned && next.displacedByGate) || verified(now, target, next)) {
        return publish(next, now, target, nowMs, mulDiv(next.intervalMs, kVerifiedRampPpm, kPpm));
    }
    if (isDegrade(now, target, next)) {
        return publish(next, now, target, nowMs, mulDiv(next.intervalMs, kDegradeRampPpm, kPpm));
    }
    Shares step = promotionStep(now, target);
    normalise(step, *leader);
    publish(next, now, step, nowMs, next.intervalMs);
}

} // namespace weir::routing
