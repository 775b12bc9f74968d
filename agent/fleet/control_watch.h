// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/base/time.h"
#include "common/model/control.h"

#include <cstdint>
#include <optional>

namespace weir::fleet {

/// Of the newest summary; old = above timing.summary_max_age_s.
enum class SummaryAge : std::uint8_t { Missing, Fresh, Old };

/// What the switch and the settings mean for this agent (contract section 5). A store that does not
/// answer is given the grace time, in which the newest good decisions hold; one that answers that
/// the rows are missing or senseless (error codes "switch_missing", "settings_missing", "bad_row")
/// is believed at once; the first good read ends either at once. Adaptive and shadow need a summary
/// that is not too old to rank by; without one they are fail-safe, "no_summary" or "summary_old".
/// Pure: time comes in, and a Control goes out when there is a new one to publish.
class ControlWatch final
{
public:
    /// `grace` is timing.settings_grace_s.
    explicit ControlWatch(Duration grace);

    [[nodiscard]] std::optional<Control>
    onRead(const Result<Decisions>& read, Instant now, UtcTime utc);

    /// Call it at least once a second: reads that hang must not delay the fail-safe.
    [[nodiscard]] std::optional<Control> onTick(Instant now);

    /// Takes effect with the next read or tick.
    void setSummary(SummaryAge age) { m_summary = age; }

    [[nodiscard]] const Control& control() const { return m_control; }

private:
    [[nodiscard]] std::optional<Control> publish(Control control, Instant now);
    void setMode(Control& control, Instant now) const;

    Duration m_grace;
    Control m_control;
    std::optional<Instant> m_lastGood;
    /// Why the rows of the last answer cannot be gone by; empty where they can.
    std::string m_distrust;
    SummaryAge m_summary = SummaryAge::Missing;
};

} // namespace weir::fleet
