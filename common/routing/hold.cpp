// SPDX-License-Identifier: Apache-2.0
#include "common/routing/hold.h"

#include <algorithm>

namespace weir::routing {
namespace {

Duration restAfter(Outcome outcome, std::optional<std::chrono::milliseconds> retryAfter)
{
    const auto hint = std::min<std::chrono::milliseconds>(
        retryAfter.value_or(std::chrono::milliseconds{0}), kRetryAfterMax);
    switch (outcome) {
    case Outcome::Auth:
        return kAuthHold;
    case Outcome::NoCredit:
        return kNoCreditHold;
    case Outcome::ModelUnavailable:
        return kModelUnavailableHold;
    case Outcome::RateLimited:
    case Outcome::Overloaded:
    case Outcome::ServerError:
        return hint;
    default:
        return Duration{0};
    }
}

} // namespace

Hold afterAttempt(
    const Hold& hold,
    Outcome outcome,
    std::optional<std::chrono::milliseconds> retryAfter,
    Instant now)
{
    if (isSuccess(outcome)) return {};
    const Duration rest = restAfter(outcome, retryAfter);
    if (rest <= Duration{0} || now + rest <= hold.until) return hold;
    return {now + rest, outcome};
}

GateView gateOf(const Hold& hold, Instant now)
{
    GateView view;
    if (!hold.holdsAt(now)) return view;
    view.recoversInMs = std::chrono::ceil<std::chrono::milliseconds>(hold.until - now).count();
    switch (hold.reason) {
    case Outcome::NoCredit:
        view.hold = HoldKind::Credit;
        break;
    case Outcome::Auth:
        view.hold = HoldKind::Auth;
        break;
    case Outcome::ModelUnavailable:
        view.hold = HoldKind::Misconfigured;
        break;
    default:
        view.hold = HoldKind::RetryAfter;
        break;
    }
    return view;
}

} // namespace weir::routing
