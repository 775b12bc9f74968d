// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/change.h"
#include "common/base/result.h"
#include "common/model/audit_entry.h"
#include "common/model/incident_note.h"

#include <string>
#include <vector>

namespace weir::store {

/// A new note, or a new version of one. Its version, `createdBy`, `updatedBy` and `updatedAt` are
/// ignored; an expected version of 0 means that it does not exist yet.
struct NoteChange
{
    IncidentNote note;
    std::int64_t expectedVersion = 0;
    /// Its reason is ignored: the text is the reason.
    Authorship by;
};

/// What people say of incidents, and did in their time. Like `Store`: an object belongs to one
/// thread and every call may wait.
class NoteStore
{
public:
    virtual ~NoteStore() = default;

    /// By the time that they are about.
    [[nodiscard]] virtual Result<std::vector<IncidentNote>>
    notes(const std::string& incidentId) = 0;
    /// Audited. Errors "no_incident", and "refused" where a constraint says no.
    [[nodiscard]] virtual Result<Write<IncidentNote>> writeNote(const NoteChange& change) = 0;
    /// The last `limit` entries of [fromMs, toMs), newest first.
    [[nodiscard]] virtual Result<std::vector<AuditEntry>>
    auditBetween(std::int64_t fromMs, std::int64_t toMs, int limit) = 0;
};

} // namespace weir::store
