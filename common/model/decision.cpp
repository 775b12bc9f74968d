// SPDX-License-Identifier: Apache-2.0
#include "common/model/decision.h"

namespace weir {
namespace {

constexpr std::array<std::string_view, 3> kBreakerWords = {"closed", "open", "half_open"};
constexpr std::array<std::string_view, 5> kHoldWords = {
    "none", "retry_after", "credit", "auth", "misconfigured"};
constexpr std::array<std::string_view, 22> kCodeWords = {
    "pin",
    "origin",
    "best",
    "tie",
    "explore",
    "override",
    "failover",
    "probe",
    "unproven",
    "slow3x",
    "quality",
    "over_rate",
    "cap",
    "breaker",
    "hold_credit",
    "hold_auth",
    "hold_retry_after",
    "hold_misconfigured",
    "forced_overrun",
    "off_fixed",
    "stale_fixed",
    "ineligible"};

} // namespace

std::string_view toWord(BreakerState state)
{
    return kBreakerWords.at(static_cast<std::size_t>(state));
}

std::string_view toWord(HoldKind kind)
{
    return kHoldWords.at(static_cast<std::size_t>(kind));
}

std::string_view toWord(ReasonCode code)
{
    return kCodeWords.at(static_cast<std::size_t>(code));
}

} // namespace weir
