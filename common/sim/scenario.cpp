// SPDX-License-Identifier: Apache-2.0
#include "common/sim/scenario.h"

#include <algorithm>
#include <array>

namespace weir::sim {
namespace {

constexpr std::array<std::string_view, 5> kPolicies = {
    "adaptive", "shadow", "fixed", "round-robin", "oracle"};

} // namespace

bool Scenario::isGraded() const
{
    const auto isPlain = [](const TrafficStream& stream) {
        return stream.ladder.size() == 1 && stream.regions.empty() && stream.terms.empty() &&
               !stream.batch;
    };
    return !std::ranges::all_of(traffic, isPlain);
}

std::string_view toWord(SimPolicy policy)
{
    return kPolicies[static_cast<std::size_t>(policy)];
}

std::optional<SimPolicy> simPolicyFromWord(std::string_view word)
{
    for (std::size_t i = 0; i < kPolicies.size(); ++i) {
        if (kPolicies[i] == word) return static_cast<SimPolicy>(i);
    }
    return std::nullopt;
}

} // namespace weir::sim
