// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/call_record.h"
#include "common/model/decision_input.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir {

/// Why a route stands where it stands (routing.md section 0).
enum class ReasonCode : std::uint8_t {
    Pin,
    Origin,
    Best,
    Tie,
    Explore,
    Override,
    Failover,
    Probe,
    Unproven,
    Slow,
    Quality,
    OverRate,
    Cap,
    Breaker,
    HoldCredit,
    HoldAuth,
    HoldRetryAfter,
    HoldMisconfigured,
    ForcedOverrun,
    OffFixed,
    StaleFixed,
    Ineligible,
};
/// "pin", "over_rate", "slow3x", …
[[nodiscard]] std::string_view toWord(ReasonCode code);

struct Candidate
{
    /// Index into the routes that were handed in.
    std::uint8_t route = 0;
    ReasonCode code = ReasonCode::OffFixed;
    /// What the caller is told (contract section 2) where this one serves.
    Reason reason = Reason::Fixed;

    bool operator==(const Candidate&) const = default;
};

/// Who is to be tried, in order, and why each route stands where it does.
struct Decision
{
    /// Best first; never empty while one route is eligible.
    StaticVector<Candidate, kRoutesMax> candidates;
    /// By route, the ineligible ones too.
    StaticVector<ReasonCode, kRoutesMax> codes;
    /// By route, re-normalised over the eligible ones, in 1e-9; 0 = not scored.
    StaticVector<std::int64_t, kRoutesMax> scores;
    std::uint64_t eligibleMask = 0;
    std::uint64_t heldMask = 0;
    /// Routes whose gate was asked: what counts as demand there, denied or not.
    std::uint64_t askedMask = 0;
    /// The class that was asked with; `Explore` only for the explored route.
    GateClass gateClass = GateClass::Fresh;
    /// The route that exploration meant, and whether its gate refused (intent to treat).
    std::optional<std::uint8_t> exploreArm;
    bool exploreDenied = false;
    /// Chance that this route was the first choice, over the coins.
    std::int64_t propensityPpm = 1'000'000;

    bool operator==(const Decision&) const = default;
};

} // namespace weir
