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

} // namespace weir::routing
