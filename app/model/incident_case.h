// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/store/database.h"
#include "app/model/past.h"
#include "common/model/audit_entry.h"
#include "common/model/call_record.h"
#include "common/model/degradation_report.h"
#include "common/model/incident.h"
#include "common/model/incident_note.h"

#include <QString>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::model {

/// All that the store knows around one incident.
struct IncidentCase
{
    Incident incident;
    /// Those of its time, for its group.
    std::vector<Incident> others;
    std::vector<IncidentNote> notes;
    /// Of the span, and later ones where they are notes on it. Oldest first.
    std::vector<AuditEntry> audit;
    /// Of its model over the span, or of all where it has none.
    Past past;
    /// Calls that show it, oldest first.
    std::vector<CallRecord> calls;
    /// By the time of a change of leader: a decision right after it.
    std::map<std::int64_t, std::string> decisions;
    /// What became of the requests meanwhile; nothing where there were too many to count here.
    std::optional<DegradationReport> report;
    /// The level of each minute that had requests, where they were counted.
    std::vector<std::pair<Ms, int>> levels;
};

/// From before its first bad minute to after its last one, or to now.
[[nodiscard]] Span spanAround(const Incident& incident, UtcTime now);

/// Nothing where the store has no such incident.
[[nodiscard]] Result<std::optional<IncidentCase>>
readCase(store::Database& db, const std::string& id, UtcTime now);

/// Figures that follow from what was measured: names and values, for the head of the page and for
/// the review.
[[nodiscard]] std::vector<std::pair<QString, QString>> impactOf(const IncidentCase& known);

/// What one provider did in a stretch of the case's past.
struct Measured
{
    std::int64_t attempts = 0;
    std::int64_t failures = 0;
    std::int64_t rateLimited = 0;
    /// Of all providers.
    std::int64_t all = 0;
    Histogram ttftUs;
};

[[nodiscard]] Measured measuredIn(const Past& past, const std::string& provider, Span span);

} // namespace weir::model
