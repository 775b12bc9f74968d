// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/past.h"
#include "app/model/signs.h"
#include "app/model/time_series.h"
#include "common/model/audit_entry.h"
#include "common/model/incident.h"
#include "common/model/settings.h"

#include <QString>

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace weir::model {

/// One thing for a time: a state on a lane.
struct LaneSpan
{
    Span span;
    Glyph glyph = Glyph::Circle;
    Tone tone = Tone::Stale;
    QString text;
    /// The incident that it is, or empty.
    QString key;
};

/// Something done at a time.
struct LaneMark
{
    Ms time = 0;
    Glyph glyph = Glyph::Diamond;
    Tone tone = Tone::Neutral;
    QString text;
};

/// Later spans lie over earlier ones.
struct Lane
{
    QString name;
    /// Whose colour stands before the name.
    std::optional<int> colour;
    std::vector<LaneSpan> spans;
    std::vector<LaneMark> marks;
};

struct LaneFacts
{
    Span range;
    std::span<const Incident> incidents;
    /// Any order.
    std::span<const AuditEntry> audit;
    const Past* past = nullptr;
    /// By minute; empty = they were not counted, and there is no lane.
    std::span<const std::pair<Ms, int>> levels = {};
    /// What the switch says now, where it was not turned in the range.
    std::optional<RoutingSwitch> routingSwitch;
};

/// A lane for the mode, one a provider, one for what people changed; and one for the fleet's own
/// troubles and for the levels of the ladder, where they are known.
[[nodiscard]] std::vector<Lane> incidentLanes(const LaneFacts& facts);

/// "baseten: 10:02:11Z slow, 14 m; …": the lanes in words.
[[nodiscard]] QString laneText(const Lane& lane);

} // namespace weir::model
