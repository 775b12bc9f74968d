// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet.h"
#include "app/model/signs.h"
#include "common/model/settings.h"

#include <QString>

#include <optional>

namespace weir::model {

/// The mode pill and what stands beside it: what agents report, never what the row in the store
/// says.
struct HeaderState
{
    Glyph glyph = Glyph::Circle;
    Tone tone = Tone::Stale;
    /// "ADAPTIVE", "FIXED ORDER", "MIXED", "UNKNOWN".
    QString word;
    /// "switched off by maria 12 m"; empty for adaptive.
    QString detail;
    /// "7/7 agents".
    QString agents;
    /// "v41", the version that the agents run; "v41–42" where they differ.
    QString version;
    bool isEveryAgentHeard = true;

    /// "FIXED ORDER · switched off by maria 12 m": also the accessible name.
    [[nodiscard]] QString text() const;

    bool operator==(const HeaderState&) const = default;
};

/// Facts beside the fleet that word the pill's reason.
struct HeaderFacts
{
    /// Who turned the switch last, as far as the console knows it from an agent or from the store.
    std::optional<RoutingSwitch> row;
    std::optional<double> summaryAgeS;
    /// When the console began to listen.
    UtcTime listeningSince{};
};

[[nodiscard]] HeaderState headerState(const Fleet& fleet, const HeaderFacts& facts, UtcTime now);

} // namespace weir::model
