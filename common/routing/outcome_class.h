// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/outcome.h"
#include "common/routing/gate.h"

#include <cstdint>

namespace weir::routing {

/// What an outcome means for the gate (routing.md section 4).
enum class OutcomeClass : std::uint8_t {
    Ok,
    Rate,
    Failure,
    Credit,
    Auth,
    Misconfigured,
    Neutral,
};

[[nodiscard]] OutcomeClass classOf(Outcome outcome);

/// Counts for the breaker.
[[nodiscard]] bool tripsBreaker(Outcome outcome);

/// Counts an attempt that was dispatched at `dispatchMs`, in the bucket of that moment, as ended.
void countEnded(Cohort& cohort, Outcome outcome, std::int64_t dispatchMs);

/// An attempt counted as ok broke off after its output had begun.
void countBroken(Cohort& cohort, std::int64_t dispatchMs);

} // namespace weir::routing
