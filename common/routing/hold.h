// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"
#include "common/model/gate_view.h"
#include "common/model/outcome.h"

#include <chrono>
#include <optional>

namespace weir::routing {

/// Until when a route rests, and why. A hold moves the route behind the others; it never removes
/// it, for the pool must not be empty (routing.md sections 4 and 6).
struct Hold
{
    Instant until = Instant::min();
    Outcome reason = Outcome::Ok;

    [[nodiscard]] bool holdsAt(Instant now) const { return now < until; }

    bool operator==(const Hold&) const = default;
};

/// No hint of a provider benches a route for longer (contract section 2).
inline constexpr std::chrono::seconds kRetryAfterMax{300};
/// routing.md section 4: a route whose key is refused rests a minute.
inline constexpr std::chrono::seconds kAuthHold{60};
/// Contract section 3: minutes, never for good.
inline constexpr std::chrono::seconds kNoCreditHold{300};
/// A model that the provider does not know is our own mistake; it rests as a refused key does.
inline constexpr std::chrono::seconds kModelUnavailableHold{60};

/// The hold after an attempt. The later of two ends wins, in whatever order answers come in (fleet
/// case B021); a success ends every hold, since the provider has just shown that it serves.
[[nodiscard]] Hold afterAttempt(
    const Hold& hold,
    Outcome outcome,
    std::optional<std::chrono::milliseconds> retryAfter,
    Instant now);

/// The hold as the decision sees it.
[[nodiscard]] GateView gateOf(const Hold& hold, Instant now);

} // namespace weir::routing
