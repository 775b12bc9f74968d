// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/model_demand.h"

#include <algorithm>

namespace weir::fleet {
namespace {

constexpr std::int64_t kIntervalMs = 1000;

} // namespace

void ModelDemand::settle(const std::map<std::string, std::int64_t>& requests, std::int64_t nowMs)
{
    const bool isDue = m_settledMs == 0 || nowMs - m_settledMs >= kIntervalMs;
    for (const auto& [name, count] : requests) {
        Model& model = m_models[name];
        model.meter.count += count - model.counted;
        model.counted = count;
        if (isDue && m_settledMs != 0) model.meter.settle(nowMs - m_settledMs);
    }
    if (isDue) m_settledMs = nowMs;
}

std::int64_t ModelDemand::milliRps(const std::string& model) const
{
    const auto known = m_models.find(model);
    return known == m_models.end() ? 0 : std::max<std::int64_t>(known->second.meter.milliRps, 0);
}

} // namespace weir::fleet
