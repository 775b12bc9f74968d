// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/outcome_class.h"
#include "common/routing/route_gate.h"
#include "tests/routing/chance.h"

#include <cstdint>
#include <vector>

namespace weir::routing::test {

/// One second of one agent.
struct Second
{
    std::uint32_t agent = 1;
    int dispatched = 0;
    int rateLimited = 0;
    int failed = 0;
    int neutral = 0;
    std::int64_t lateMs = 0;
};

/// What it reports at `nowMs`: the second before that, or earlier.
GateReport reportOf(const Second& second, std::int64_t nowMs, std::int64_t wantMilliRps);

/// What some agents saw in a second; spells of trouble come and go.
std::vector<Second> secondOf(Chance& chance, int second, int agents);

/// A gate that has learned its rate from an agent by `nowMs`.
GateState warm(std::int64_t nowMs, std::int64_t milliRps, const GateParams& params);

} // namespace weir::routing::test
