// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/reports/settings_edit.h"
#include "agent/store/change.h"
#include "common/model/drill.h"
#include "common/model/failover_status.h"
#include "common/model/incident.h"
#include "common/model/settings.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir::reports {

/// What speaks for and against a drill before it is written. Pure.

/// No drill waits longer for an answer, nor lasts longer.
inline constexpr std::int64_t kDrillDelayMaxMs = 60'000;
inline constexpr std::chrono::minutes kDrillLengthMax{60};

struct DrillPlan
{
    DrillKind kind = DrillKind::Breaker;
    std::string model;
    std::string provider;
    /// Of the attempts on the route; an open breaker takes all of them.
    std::int64_t sharePpm = 1'000'000;
    std::int64_t delayMs = 0;
    std::chrono::milliseconds length{0};
    std::int64_t abortFailurePpm = 50'000;

    bool operator==(const DrillPlan&) const = default;
};

struct DrillObjection
{
    enum class Kind : std::uint8_t {
        /// The route does not exist: a slip of the pen.
        Slip,
        /// It would do nothing.
        Useless,
        /// It would show little; whoever insists may.
        Poor,
    };

    Kind kind = Kind::Useless;
    std::string text;
};

/// Nothing where nothing speaks against it.
[[nodiscard]] std::optional<DrillObjection>
objectionTo(const DrillPlan& plan, const KnownRoutes& known, const Decisions& decisions);

/// Why this is a bad moment for it: something else is wrong already, or the other routes are known
/// not to bear what would move. Empty where nothing is known.
[[nodiscard]] std::vector<std::string> hazardsOf(
    const DrillPlan& plan,
    std::span<const Incident> incidents,
    std::span<const FailoverStatus> failover);

/// The row to write; it takes its id from the write's own random name.
[[nodiscard]] Drill drillOf(const DrillPlan& plan, const store::Authorship& by);

} // namespace weir::reports
