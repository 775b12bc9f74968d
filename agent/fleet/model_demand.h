// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/demand_meter.h"

#include <cstdint>
#include <map>
#include <string>

namespace weir::fleet {

/// How much this agent is asked for, by model, smoothed.
class ModelDemand final
{
public:
    /// `requests`: of each model so far. Intervals are about a second, however often this is
    /// called.
    void settle(const std::map<std::string, std::int64_t>& requests, std::int64_t nowMs);

    /// Thousandths of a request per second.
    [[nodiscard]] std::int64_t milliRps(const std::string& model) const;

private:
    struct Model
    {
        std::int64_t counted = 0;
        routing::DemandMeter meter;
    };

    std::map<std::string, Model> m_models;
    std::int64_t m_settledMs = 0;
};

} // namespace weir::fleet
