// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/outcome.h"
#include "common/routing/philox.h"
#include "common/routing/retry_budget.h"

#include <cstdint>
#include <optional>

namespace weir::routing {

/// What a request may still do after an attempt has failed (routing.md section 9).
enum class NextStep : std::uint8_t { Stop, SameRoute, NextRoute };

/// How the request stands.
struct AttemptLog
{
    /// Attempts made, and how many of them went to another route than the one before.
    int attempts = 0;
    int failovers = 0;
    /// The present route has had its second chance.
    bool retriedHere = false;
};

struct FailedAttempt
{
    Outcome outcome = Outcome::Ok;
    /// 0 = no status line came.
    int httpStatus = 0;
    /// The provider named a time before which it does not want to see this request again.
    std::optional<std::int64_t> retryAfterMs{};
    /// A probe of a breaker or a hold: one is enough to know.
    bool probe = false;
    /// It was sent a second time already, because a reused connection had failed.
    bool replayed = false;
    std::int64_t tookMs = 0;
};

struct Outlook
{
    bool singleShot = false;
    /// Another route is left in the decision's list.
    bool hasNext = false;
    /// Nothing speaks against that route: it is no last resort.
    bool nextIsSound = false;
    /// Until the deadline, and what the next attempt needs at least to be of use.
    std::int64_t remainingMs = 0;
    std::int64_t usefulMs = 0;
};

/// Attempts of one request, all told.
inline constexpr int kAttemptsMax = 4;
/// At most two failovers.
inline constexpr int kFailoversMax = 2;
/// A second try on the same route: only where the first one failed quickly.
inline constexpr std::int64_t kCheapMs = 1000;

/// A hint below this is worth waiting for where no other route is left (contract section 2).
inline constexpr std::int64_t kShortWaitMs = 1000;

/// The next step, taking from the budget what it costs. The first failover is free, for an outage
/// must fail over everything. So is a second one to a sound route: nobody should notice that two of
/// three are out, and each is tried but once (on purpose more than section 9 allows). A retry on
/// the same route and a second failover to a last resort cost one each. Neutral outcomes (the
/// caller's own doing) stop. So at most four attempts are made.
[[nodiscard]] NextStep nextStep(
    const AttemptLog& log,
    const FailedAttempt& failed,
    const Outlook& outlook,
    RetryBudget& budget);

/// Keeps `log` for the step that was taken.
void note(AttemptLog& log, NextStep step);

/// Before a retry on the same route: 100 to 400 ms, so that retries of many do not meet again.
/// `hintMs`: what the provider asked for; never less than that.
[[nodiscard]] std::int64_t
retryDelayMs(const Coin& requestCoin, int attempt, std::optional<std::int64_t> hintMs = {});

} // namespace weir::routing
