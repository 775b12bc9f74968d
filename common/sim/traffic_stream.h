// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/sim/route_shape.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::sim {

/// One step of a stream's ladder.
struct ScenarioRung
{
    std::size_t model = 0;
    /// 0 to 3.
    int level = 0;
};

struct TrafficStream
{
    std::string taskType;
    /// Best first, never empty; its first model is what the stream asks for.
    std::vector<ScenarioRung> ladder;
    /// Any one of these will do; empty = anywhere.
    std::vector<std::string> regions;
    /// All of these are needed.
    std::vector<std::string> terms;
    bool batch = false;
    double tasksPerS = 0.0;
    double diurnal = 0.0;
    std::uint32_t callsMin = 1;
    std::uint32_t callsMax = 1;
    LogNormal inputTokens;
    LogNormal outputTokens;
    double gapS = 0.0;
    double singleShotShare = 0.0;
    /// Answers that end because their budget is used up.
    double lengthShare = 0.0;
    /// Clients that leave before the first output.
    double abortShare = 0.0;
};

} // namespace weir::sim
