// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/incident.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace weir::routing {

/// 12 hexadecimal digits of kind, key and onset: running again over the same minutes gives the
/// same id.
[[nodiscard]] std::string incidentId(IncidentKind kind, const std::string& key, std::int64_t onset);

/// The smaller one heads its group: credit, auth, outage, slowdown, rate limit, errors, then the
/// fleet's and the rest (routing.md section 11).
[[nodiscard]] int precedenceOf(IncidentKind kind);

/// The fleet's own parts; such incidents have neither model nor provider.
[[nodiscard]] bool isOfFleet(IncidentKind kind);

/// How bad, in the words of the kind: "x2.8", "43.0 % failed".
[[nodiscard]] std::string severityText(IncidentKind kind, std::int64_t severity);

/// Adds an event; of more than `most` the first half and the newest stay.
void addEvent(Incident& incident, IncidentEvent event, std::size_t most);

/// Replaces the only event of this kind, or adds it.
void setEvent(Incident& incident, IncidentEvent event, std::size_t most);

} // namespace weir::routing
