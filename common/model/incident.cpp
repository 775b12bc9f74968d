// SPDX-License-Identifier: Apache-2.0
#include "common/model/incident.h"

#include <algorithm>
#include <array>

namespace weir {
namespace {

constexpr std::array<std::string_view, 16> kWords = {
    "rate_limit_burst",
    "slowdown",
    "outage",
    "partial_errors",
    "credit_exhausted",
    "auth",
    "stale_summary",
    "gate_local",
    "redis_empty",
    "promotion",
    "demotion",
    "flapping",
    "price_drift",
    "quality_flag",
    "unloaded_429",
    "budget_burn"};

} // namespace

std::string_view toWord(IncidentKind kind)
{
    return kWords.at(static_cast<std::size_t>(kind));
}

std::optional<IncidentKind> incidentKindFromWord(std::string_view word)
{
    const auto* const found = std::find(kWords.begin(), kWords.end(), word);
    if (found == kWords.end()) return std::nullopt;
    return static_cast<IncidentKind>(found - kWords.begin());
}

} // namespace weir
