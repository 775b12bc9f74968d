// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/failover_status.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weir::routing {

/// A request that a route served.
struct ServedRequest
{
    std::int64_t startedMs = 0;
    /// Input and output.
    std::int64_t tokens = 0;
    bool batch = false;
};

/// What the routes of one model served minute by minute, and the highest of it: six hours, which
/// hold the peak of a working day without a peak of last week's. Memory is bounded by the routes.
class DemandPeaks final
{
public:
    static constexpr std::int64_t kMinutes = 360;

    void add(const std::string& provider, const ServedRequest& request);

    struct Peaks
    {
        LoadRate all;
        LoadRate interactive;
        std::map<std::string, LoadRate> byProvider;
        /// Of all minutes; 0 = nothing was served.
        double tokensPerRequest = 0.0;
    };

    [[nodiscard]] Peaks at(std::int64_t nowMs) const;

private:
    struct Minute
    {
        std::int64_t number = -1;
        std::int64_t requests = 0;
        std::int64_t tokens = 0;
        std::int64_t interactive = 0;
        std::int64_t interactiveTokens = 0;
    };

    std::map<std::string, std::vector<Minute>> m_routes;
};

} // namespace weir::routing
