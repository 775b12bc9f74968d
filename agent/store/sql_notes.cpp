// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_audit.h"
#include "agent/store/sql_store.h"
#include "agent/store/sql_versioned.h"
#include "common/base/text.h"

#include <algorithm>

namespace weir::store {
namespace {

constexpr int kAuditMax = 1000;
constexpr std::string_view kColumns = "id, incident_id, section, at_ms, text, version, created_by, "
                                      "updated_by, updated_at_ms";

IncidentNote noteFrom(const Statement& row)
{
    IncidentNote note;
    note.id = row.text(0);
    note.incidentId = row.text(1);
    // A constraint keeps other words out.
    note.section = noteSectionFromWord(row.text(2)).value_or(NoteSection::Timeline);
    note.atMs = row.integer(3);
    note.text = row.text(4);
    note.version = row.integer(5);
    note.createdBy = row.text(6);
    note.updatedBy = row.text(7);
    note.updatedAt = fromEpochMs(row.integer(8));
    return note;
}

MaybeRow<IncidentNote> readNote(SqlConnection& db, const std::string& id)
{
    static const std::string kSelect =
        "SELECT " + std::string{kColumns} + " FROM incident_note WHERE id = ?";
    Statement select(db, kSelect);
    const Result<bool> found = select.bind(id).next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return std::nullopt;
    return noteFrom(select);
}

Status<> insertNote(SqlConnection& db, const IncidentNote& note, const Authorship& by)
{
    const std::string at = toIso(by.at);
    Statement insert(
        db,
        "INSERT INTO incident_note (id, incident_id, section, at_ms, text, version, created_by, "
        "updated_by, updated_host, updated_at, request_uuid) "
        "VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)");
    return insert.bind(note.id)
        .bind(note.incidentId)
        .bind(toWord(note.section))
        .bind(note.atMs)
        .bind(note.text)
        .bind(by.who)
        .bind(by.who)
        .bind(by.host)
        .bind(at)
        .bind(by.requestUuid)
        .run();
}

Status<>
updateNote(SqlConnection& db, const IncidentNote& note, std::int64_t version, const Authorship& by)
{
    const std::string at = toIso(by.at);
    Statement update(
        db,
        "UPDATE incident_note SET section = ?, at_ms = ?, text = ?, version = ?, updated_by = ?, "
        "updated_host = ?, updated_at = ?, request_uuid = ? WHERE id = ?");
    return update.bind(toWord(note.section))
        .bind(note.atMs)
        .bind(note.text)
        .bind(version)
        .bind(by.who)
        .bind(by.host)
        .bind(at)
        .bind(by.requestUuid)
        .bind(note.id)
        .run();
}

/// One paragraph: a line break is a space.
std::string paragraph(std::string text)
{
    std::ranges::replace(text, '\n', ' ');
    std::ranges::replace(text, '\r', ' ');
    std::ranges::replace(text, '\t', ' ');
    return cleaned(text, kNoteCharactersMax);
}

} // namespace

Result<std::vector<IncidentNote>> SqlStore::notes(const std::string& incidentId)
{
    static const std::string kSelect = "SELECT " + std::string{kColumns} +
                                       " FROM incident_note WHERE incident_id = ? ORDER BY at_ms, "
                                       "id";
    Statement select(m_db, kSelect);
    select.bind(incidentId);
    std::vector<IncidentNote> notes;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return notes;
        notes.push_back(noteFrom(select));
    }
}

Result<Write<IncidentNote>> SqlStore::writeNote(const NoteChange& change)
{
    const Authorship by = fitted(change.by);
    IncidentNote note = change.note;
    note.id = cleaned(note.id, 64);
    note.text = paragraph(note.text);
    const auto read = [&] { return readNote(m_db, note.id); };
    const auto write = [&]() -> Status<> {
        if (change.expectedVersion > 0) {
            return updateNote(m_db, note, change.expectedVersion + 1, by);
        }
        const Result<std::optional<Incident>> known = incident(note.incidentId);
        if (!known) return tl::unexpected(known.error());
        if (!*known) {
            return fail("no_incident", cleaned(note.incidentId), "no incident has this id");
        }
        return insertNote(m_db, note, by);
    };
    return writeVersioned<IncidentNote>(
        m_db, "incident_note", note.id, change.expectedVersion, by, read, write);
}

Result<std::vector<AuditEntry>>
SqlStore::auditBetween(std::int64_t fromMs, std::int64_t toMs, int limit)
{
    static const std::string kSelect = "SELECT " + std::string{kAuditColumns} +
                                       " FROM settings_audit WHERE at_ms >= ? AND at_ms < ? "
                                       "ORDER BY at_ms DESC, id DESC LIMIT ?";
    Statement select(m_db, kSelect);
    select.bind(fromMs).bind(toMs).bind(std::int64_t{std::clamp(limit, 1, kAuditMax)});
    return auditFrom(select);
}

} // namespace weir::store
