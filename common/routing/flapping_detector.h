// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/incident_signal.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace weir::routing {

/// flapping of a (model, task type): at least 3 leader changes in 60 minutes; closes after 2 hours
/// without one (routing.md section 11). Severity: changes in the last 60 minutes.
class FlappingDetector final
{
public:
    [[nodiscard]] IncidentSignal judge(std::int64_t changes, bool isOpen);

private:
    /// Changes a minute of the last hour.
    std::array<std::int64_t, 60> m_hour{};
    std::size_t m_newest = 0;
    std::int64_t m_calmMinutes = 0;
};

} // namespace weir::routing
