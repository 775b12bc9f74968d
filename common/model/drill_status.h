// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/drill.h"

#include <cstdint>

namespace weir {

/// What was seen of a drill while it ran.
struct DrillCounts
{
    /// Of the drilled model, whatever became of them.
    std::int64_t requests = 0;
    /// Those that ended in an error for their caller.
    std::int64_t failures = 0;
    /// Those that the drill had a hand in.
    std::int64_t touched = 0;
    /// Those that it left alone, as they could go nowhere else.
    std::int64_t spared = 0;

    DrillCounts& operator+=(const DrillCounts& other)
    {
        requests += other.requests;
        failures += other.failures;
        touched += other.touched;
        spared += other.spared;
        return *this;
    }

    bool operator==(const DrillCounts&) const = default;
};

/// A drill as one agent runs it now.
struct DrillStatus
{
    Drill drill;
    /// Until it ends by itself, by the agent's own clock.
    double leftS = 0.0;
    /// This agent's.
    DrillCounts counts;

    bool operator==(const DrillStatus&) const = default;
};

} // namespace weir
