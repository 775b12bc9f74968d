// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/decision_input.h"
#include "common/sim/scenario.h"

#include <cstdint>
#include <vector>

namespace weir::sim {

/// Which routes may serve which stream's requests, by the rules of routing/eligible.h. What a
/// stream demands and what a route offers never change, so it is asked once.
class Eligibility final
{
public:
    explicit Eligibility(const Scenario& scenario);

    /// A route that is not known yet is one that the operator has not enabled.
    [[nodiscard]] Exclusion of(std::uint32_t stream, RouteRef route, bool isKnown) const
    {
        return isKnown ? m_exclusions[stream][route.model][route.route] : Exclusion::Disabled;
    }

private:
    /// By stream, model and route.
    std::vector<std::vector<std::vector<Exclusion>>> m_exclusions;
};

} // namespace weir::sim
