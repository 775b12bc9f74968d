// SPDX-License-Identifier: Apache-2.0
#include "common/routing/leader.h"

#include "common/base/fixed_point.h"

#include <algorithm>

namespace weir::routing {
namespace {

/// routing.md section 11, `flapping`.
constexpr std::size_t kFlappingChanges = 3;
constexpr std::int64_t kFlappingWindowMs = 60LL * 60 * 1000;
constexpr std::int64_t kMarginRaisedMs = 2 * kFlappingWindowMs;
constexpr std::size_t kChangesKept = 8;

bool mayLead(const RouteFigures& route)
{
    return route.trusted && !route.slow && route.score > 0;
}

std::optional<std::size_t> best(const PoolSummary& pool, const PoolSetup& setup)
{
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < pool.routes.size(); ++i) {
        if (!mayLead(pool.routes[i])) continue;
        if (!found) {
            found = i;
            continue;
        }
        const RouteFigures& other = pool.routes[*found];
        const bool better =
            pool.routes[i].score != other.score
                ? pool.routes[i].score > other.score
                : setup.routes[i].fixedPosition < setup.routes[*found].fixedPosition;
        if (better) found = i;
    }
    return found;
}

/// Why a route that led cannot go on.
LeaderCause causeOfLoss(const RouteFigures& route, const RouteSetup& setup)
{
    if (setup.hold == HoldKind::Credit) return LeaderCause::Credit;
    if (setup.hold == HoldKind::Auth) return LeaderCause::Auth;
    if (setup.breaker != BreakerState::Closed) return LeaderCause::Breaker;
    if (setup.hold != HoldKind::None || !setup.aboveFloor) return LeaderCause::Gate;
    if (route.slow) return LeaderCause::Slow;
    return LeaderCause::Score;
}

bool isLowered(const RouteFigures& route)
{
    return route.ttftUs.state == WindowState::Lowered ||
           route.milliTps.state == WindowState::Lowered;
}

/// It lost the lead to a trouble, not to a better route: when the trouble is over it is owed the
/// lead, without the margin that a newcomer must earn.
bool isTrouble(LeaderCause cause, const RouteFigures& route)
{
    return cause != LeaderCause::Start && (cause != LeaderCause::Score || isLowered(route));
}

void noteChange(PoolSummary& next, std::int64_t nowMs)
{
    next.leaderSinceMs = nowMs;
    next.leaderChangesMs.push_back(nowMs);
    if (next.leaderChangesMs.size() > kChangesKept) {
        next.leaderChangesMs.erase(next.leaderChangesMs.begin());
    }
    const auto recent = std::count_if(
        next.leaderChangesMs.begin(), next.leaderChangesMs.end(), [nowMs](std::int64_t at) {
            return nowMs - at < kFlappingWindowMs;
        });
    if (static_cast<std::size_t>(recent) >= kFlappingChanges) {
        next.marginRaisedUntilMs = nowMs + kMarginRaisedMs;
    }
}

std::int64_t marginNow(const PoolSummary& next, const RoutingPolicy& policy, std::int64_t nowMs)
{
    return nowMs < next.marginRaisedUntilMs ? 2 * policy.switchMarginPpm : policy.switchMarginPpm;
}

/// Remembers the first of those that troubles took the lead from, until it is back or somebody
/// better has earned the lead.
void noteDisplaced(PoolSummary& next, const RouteFigures& winner, bool trouble, LeaderCause cause)
{
    if (trouble && next.displaced.empty()) {
        next.displaced = next.leader;
        next.displacedByGate = cause == LeaderCause::Gate || cause == LeaderCause::Breaker ||
                               cause == LeaderCause::Credit || cause == LeaderCause::Auth;
    } else if (!trouble && winner.provider != next.displaced) {
        next.displaced.clear();
    }
}

void keepHistory(const PoolSummary* previous, PoolSummary& next)
{
    next.leaderCause = LeaderCause::None;
    if (previous == nullptr) return;
    next.leader = previous->leader;
    next.leaderSinceMs = previous->leaderSinceMs;
    next.leaderChangesMs = previous->leaderChangesMs;
    next.marginRaisedUntilMs = previous->marginRaisedUntilMs;
    next.displaced = previous->displaced;
    next.displacedByGate = previous->displacedByGate;
}

} // namespace

std::optional<std::size_t> indexOf(const PoolSummary& pool, std::string_view provider)
{
    for (std::size_t i = 0; i < pool.routes.size(); ++i) {
        if (pool.routes[i].provider == provider) return i;
    }
    return std::nullopt;
}

void chooseLeader(
    const PoolSummary* previous,
    PoolSummary& next,
    const PoolSetup& setup,
    const RoutingPolicy& policy,
    std::int64_t nowMs)
{
    keepHistory(previous, next);
    const std::optional<std::size_t> challenger = best(next, setup);
    if (!challenger) return;
    const RouteFigures& winner = next.routes[*challenger];
    const std::optional<std::size_t> incumbent = indexOf(next, next.leader);
    LeaderCause cause = next.leader.empty() ? LeaderCause::Start : LeaderCause::Score;
    if (incumbent) {
        const RouteFigures& held = next.routes[*incumbent];
        const bool returns = winner.provider == next.displaced && !isLowered(winner);
        const std::int64_t margin = returns ? 0 : marginNow(next, policy, nowMs);
        const bool stays = mayLead(held) && mulDiv(winner.score, kPpm, kPpm + margin) <= held.score;
        if (stays || winner.provider == next.leader) return;
        cause = mayLead(held) ? LeaderCause::Score : causeOfLoss(held, setup.routes[*incumbent]);
        noteDisplaced(next, winner, isTrouble(cause, held), cause);
    }
    next.leader = winner.provider;
    next.leaderCause = cause;
    if (cause == LeaderCause::Start) {
        next.leaderSinceMs = nowMs;
    } else {
        noteChange(next, nowMs);
    }
}

} // namespace weir::routing
