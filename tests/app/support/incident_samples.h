// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/model/incident.h"
#include "common/model/incident_note.h"
#include "tests/app/support/stage.h"

#include <string>
#include <vector>

namespace weir::test {

/// What `fillIncidents` writes: INC-231, a slowdown of baseten that is open since 10:02 and has a
/// burst of 429s of fireworks in its group; an outage of the day before; an old summary of three
/// days ago.
[[nodiscard]] std::vector<Incident> sampleIncidents();

/// Into the stage's store: incidents, an hour of calls, turns of the switch, a note by maria.
void fillIncidents(Stage& stage);

void saveIncidents(Stage& stage, const std::vector<Incident>& incidents);

/// As another console would.
IncidentNote
writeNote(Stage& stage, IncidentNote note, std::int64_t expectedVersion, const std::string& who);

} // namespace weir::test
