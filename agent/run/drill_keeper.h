// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/drills.h"
#include "agent/store/drill_store.h"

#include <map>
#include <string>

namespace weir::run {

/// Ties this agent's drills to their rows: starts what it reads there, and writes back what it has
/// ended by itself and what it has seen. Belongs to the thread of the store.
class DrillKeeper final
{
public:
    /// `agentId` and `host` stand in what it writes.
    DrillKeeper(
        fleet::Drills& drills, store::DrillStore& store, std::string agentId, std::string host);

    /// The rows as just read.
    void read(const std::vector<Drill>& rows, Instant now, UtcTime utc);

    /// Some times a second. What cannot be written is tried again the next time.
    void tell(Instant now, UtcTime utc);

private:
    [[nodiscard]] Status<> saveCounts(const fleet::RunningDrill& drill);
    void end(const fleet::RunningDrill& drill, std::string_view why, UtcTime utc);

    fleet::Drills& m_drills;
    store::DrillStore& m_store;
    std::string m_agentId;
    std::string m_host;
    /// As last saved, by id.
    std::map<std::string, DrillCounts> m_saved;
};

} // namespace weir::run
