// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/incident_case.h"
#include "app/model/incident_words.h"
#include "app/model/place.h"

#include <QString>

#include <optional>
#include <vector>

namespace weir::model {

/// One thing that happened, with its evidence.
struct CaseLine
{
    /// "event/…", "audit/ID", "note/ID", "call/ID", "incident/ID"; stable over refreshes.
    QString key;
    Ms at = 0;
    Look look;
    QString text;
    /// "audit 42", "n 212, p50 14.2 s", "decision 8f31c2d0".
    QString evidence;
    /// Where the evidence is.
    std::optional<Place> place;
    /// In the short story, too, and not only in the log.
    bool isStory = false;
};

/// Everything that happened around the incident, oldest first: its events, what people changed and
/// wrote, other incidents of its group, calls that show it.
[[nodiscard]] std::vector<CaseLine> linesOf(const IncidentCase& known);

} // namespace weir::model
