// SPDX-License-Identifier: Apache-2.0
#include "common/routing/account_hold.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::int64_t kCreditPairMs = 10'000;
constexpr std::int64_t kProbeEveryMs = 30'000;
constexpr std::int64_t kAuthHoldMs = 60'000;
/// An offer that was not taken goes to somebody else first.
constexpr std::int64_t kIdleMs = 3'000;

void hold(AccountHold& account, HoldKind kind, std::int64_t nowMs)
{
    account.kind = kind;
    account.sinceMs = nowMs;
    account.untilMs = kind == HoldKind::Auth ? nowMs + kAuthHoldMs : kNeverMs;
    account.nextProbeMs = nowMs + kProbeEveryMs;
    account.probeUntilMs = kNeverMs;
}

void release(AccountHold& account, std::int64_t nowMs)
{
    if (account.kind == HoldKind::Credit) ++account.releases;
    account.kind = HoldKind::None;
    account.releasedMs = nowMs;
    account.creditSeenMs = kNeverMs;
    account.probeUntilMs = kNeverMs;
}

void noteProbe(AccountHold& account, const AccountNews& news, std::int64_t nowMs)
{
    const bool theirs = account.probeUntilMs > nowMs && account.probeAgent == news.agent &&
                        account.probeRoute == news.route;
    if (!theirs || news.probesInFlight > 0) return;
    account.probeUntilMs = kNeverMs;
    if (news.probeEnded) return;
    account.nextProbeMs = nowMs;
    account.idleRoute = news.route;
    account.idleAgent = news.agent;
    account.idleUntilMs = nowMs + kIdleMs;
}

} // namespace

bool note(AccountHold& account, const AccountNews& news, std::int64_t nowMs)
{
    noteProbe(account, news, nowMs);
    if (account.holds() && news.ok > 0) {
        release(account, nowMs);
        return true;
    }
    if (account.kind == HoldKind::Credit) return false;
    if (news.creditRefused > 0) {
        const bool second = news.creditRefused > 1 || news.quietRoute ||
                            nowMs - account.creditSeenMs <= kCreditPairMs;
        account.creditSeenMs = nowMs;
        if (second) hold(account, HoldKind::Credit, nowMs);
        if (second) return true;
    }
    if (news.authRefused > 0 && !account.holds()) {
        hold(account, HoldKind::Auth, nowMs);
        return true;
    }
    return false;
}

bool expire(AccountHold& account, std::int64_t nowMs)
{
    if (account.kind != HoldKind::Auth || nowMs < account.untilMs) return false;
    release(account, nowMs);
    return true;
}

std::int32_t
grantProbe(AccountHold& account, std::uint64_t route, std::uint32_t agent, std::int64_t nowMs)
{
    if (account.kind != HoldKind::Credit || nowMs < account.nextProbeMs) return 0;
    const bool wasIdle =
        account.idleUntilMs > nowMs && account.idleRoute == route && account.idleAgent == agent;
    if (wasIdle || account.probeUntilMs > nowMs) return 0;
    account.probeRoute = route;
    account.probeAgent = agent;
    account.probeUntilMs = nowMs + kProbeEveryMs;
    account.nextProbeMs = nowMs + kProbeEveryMs;
    return 1;
}

std::int64_t recoversInMs(const AccountHold& account, std::int64_t nowMs)
{
    if (!account.holds()) return 0;
    const std::int64_t end = account.kind == HoldKind::Auth ? account.untilMs : account.nextProbeMs;
    return std::max<std::int64_t>(end - nowMs, 0);
}

} // namespace weir::routing
