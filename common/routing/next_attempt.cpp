// SPDX-License-Identifier: Apache-2.0
#include "common/routing/next_attempt.h"

namespace weir::routing {
namespace {

constexpr std::int64_t kDelayMinMs = 100;
constexpr std::uint32_t kDelaySpreadMs = 301;
constexpr int kBadGateway = 502;
constexpr int kUnavailable = 503;

/// A hiccup: the same route may well answer a moment later, with its warm cache.
bool isHiccup(const FailedAttempt& failed)
{
    if (failed.probe || failed.replayed || failed.retryAfterMs) return false;
    if (failed.tookMs >= kCheapMs) return false;
    if (failed.outcome == Outcome::Reset) return true;
    const bool status = failed.httpStatus == kBadGateway || failed.httpStatus == kUnavailable;
    return status && failed.outcome == Outcome::ServerError;
}

/// Nobody else is left, and the provider asks for no more than a moment.
bool isWorthWaiting(const AttemptLog& log, const FailedAttempt& failed, const Outlook& outlook)
{
    const bool canGoOn = outlook.hasNext && log.failovers < kFailoversMax;
    return failed.retryAfterMs && *failed.retryAfterMs < kShortWaitMs && !canGoOn &&
           !failed.probe && !log.retriedHere && log.attempts < kAttemptsMax - 1 &&
           outlook.remainingMs > outlook.usefulMs + *failed.retryAfterMs + kDelayMinMs;
}

} // namespace

NextStep nextStep(
    const AttemptLog& log, const FailedAttempt& failed, const Outlook& outlook, RetryBudget& budget)
{
    if (outlook.singleShot || !mayFailOver(failed.outcome)) return NextStep::Stop;
    if (outlook.remainingMs < outlook.usefulMs || outlook.remainingMs <= 0) return NextStep::Stop;
    if (isHiccup(failed) && !log.retriedHere && log.failovers == 0 &&
        outlook.remainingMs > outlook.usefulMs + kDelayMinMs + kDelaySpreadMs && budget.take()) {
        return NextStep::SameRoute;
    }
    if (isWorthWaiting(log, failed, outlook) && budget.take()) return NextStep::SameRoute;
    if (!outlook.hasNext || log.failovers >= kFailoversMax) return NextStep::Stop;
    if (log.failovers > 0 && !outlook.nextIsSound && !budget.take()) return NextStep::Stop;
    return NextStep::NextRoute;
}

void note(AttemptLog& log, NextStep step)
{
    ++log.attempts;
    if (step == NextStep::SameRoute) log.retriedHere = true;
    if (step == NextStep::NextRoute) {
        ++log.failovers;
        log.retriedHere = false;
    }
}

std::int64_t retryDelayMs(const Coin& requestCoin, int attempt, std::optional<std::int64_t> hintMs)
{
    const auto index = static_cast<std::uint32_t>(attempt);
    const auto jitter =
        static_cast<std::int64_t>(pick(requestCoin.draw(Purpose::Jitter, index), kDelaySpreadMs));
    // A hint is a floor: those who were told the same must not come back together.
    return hintMs ? *hintMs + jitter : kDelayMinMs + jitter;
}

} // namespace weir::routing
