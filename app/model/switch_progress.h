// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet.h"
#include "app/model/signs.h"
#include "common/model/settings.h"

#include <QString>

#include <vector>

namespace weir::model {

/// How far a written row has come, counted from the agents' own acknowledgements and the modes
/// that they report, never from the row.
struct SwitchProgress
{
    struct Chip
    {
        QString agent;
        Tone tone = Tone::Stale;
        QString text;

        bool operator==(const Chip&) const = default;
    };

    int applied = 0;
    int known = 0;
    /// Every known agent acknowledged and runs what was asked for.
    bool isComplete = false;
    Tone tone = Tone::Neutral;
    /// "Applied by 7/7 agents in 3.1 s".
    QString headline;
    /// Whom it waits for, and why; empty where nobody.
    QString detail;
    std::vector<Chip> chips;

    bool operator==(const SwitchProgress&) const = default;
};

[[nodiscard]] SwitchProgress
switchProgress(const RoutingSwitch& row, const Fleet& fleet, UtcTime now);

/// The same of the settings: there an acknowledgement is all that is asked for.
[[nodiscard]] SwitchProgress
settingsProgress(const RoutingSettings& row, const Fleet& fleet, UtcTime now);

} // namespace weir::model
