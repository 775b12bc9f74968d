// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/incident_signal.h"
#include "common/routing/minute_facts.h"

#include <cstdint>

namespace weir::routing {

/// Troubles of the fleet's own parts (routing.md section 11).
class FleetDetector final
{
public:
    /// stale_summary: the newest summary is older than 15 minutes (its onset: older than 10);
    /// closes at the second fresh summary. Severity: the age in ms.
    [[nodiscard]] IncidentSignal judgeSummary(const FleetMinute& minute, bool isOpen);

    /// gate_local: more than 20 % of the agents at once; closes after a minute with none. Severity:
    /// agents.
    [[nodiscard]] IncidentSignal judgeLocal(const FleetMinute& minute, bool isOpen);

    /// redis_empty: the gates' state was gone; closes after a minute without that.
    [[nodiscard]] static IncidentSignal judgeEmptied(const FleetMinute& minute, bool isOpen);

private:
    /// Minutes with a summary older than 10 minutes, up to now.
    std::int64_t m_oldMinutes = 0;
    std::int64_t m_ageBeforeMs = -1;
    std::int64_t m_freshSummaries = 0;
    /// Minutes with any local agent, up to now.
    std::int64_t m_localMinutes = 0;
};

} // namespace weir::routing
