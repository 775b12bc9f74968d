// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/incident.h"

#include <span>
#include <string>

namespace weir::routing {

/// An incident as a page of Markdown for people: what, where, since when, found after how long, its
/// peak and end, what it cost, its timeline, and what an engineer did (events of the kind
/// "engineer"). `others` may hold any incidents; those of the same group are listed. Times are UTC.
[[nodiscard]] std::string
incidentReport(const Incident& incident, std::span<const Incident> others = {});

/// One line: "slowdown of glm/baseten/code since 2026-11-30T10:02:00Z, 14 min".
[[nodiscard]] std::string incidentTitle(const Incident& incident);

} // namespace weir::routing
