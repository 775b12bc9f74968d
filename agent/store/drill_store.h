// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/change.h"
#include "common/base/result.h"
#include "common/model/drill.h"
#include "common/model/drill_status.h"

#include <optional>
#include <string>
#include <vector>

namespace weir::store {

/// How a drill comes to its end; `by.reason` says why, in words.
struct DrillEnd
{
    std::string id;
    /// "time", "stopped", "aborted".
    std::string reason;
    Authorship by;
};

/// A row of `drill`, with who ended it.
struct StoredDrill
{
    Drill drill;
    std::string endedBy;
    std::string endText;
};

/// The drills of a fleet. Like `Store`: an object belongs to one thread and every call may wait.
class DrillStore
{
public:
    virtual ~DrillStore() = default;

    /// Writes the row; `by` names the starter, and what the drill says of its end is ignored. First
    /// writes the end of those whose time is over by `by.at` and whose end nobody wrote. Error
    /// codes "drill_running" (another one of the model; `where` is its id) and "refused" (a
    /// constraint).
    [[nodiscard]] virtual Result<Drill> startDrill(const Drill& drill, const Authorship& by) = 0;
    /// The row as it stands afterwards: one that has ended stays as it is. Error code "no_drill".
    [[nodiscard]] virtual Result<StoredDrill> endDrill(const DrillEnd& end) = 0;
    /// Newest first.
    [[nodiscard]] virtual Result<std::vector<StoredDrill>> drills(int limit) = 0;
    [[nodiscard]] virtual Result<std::optional<StoredDrill>> drill(const std::string& id) = 0;

    /// What `agent` has seen of it so far; replaces what it said before.
    [[nodiscard]] virtual Status<>
    saveDrillCounts(const std::string& id, const std::string& agent, const DrillCounts& counts) = 0;
    /// Of all agents.
    [[nodiscard]] virtual Result<DrillCounts> drillCounts(const std::string& id) = 0;
};

} // namespace weir::store
