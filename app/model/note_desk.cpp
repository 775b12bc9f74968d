// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/note_desk.h"

#include "app/model/console.h"
#include "app/model/format.h"

#include <QUuid>

#include <algorithm>

namespace weir::model {
namespace {

std::string newId()
{
    return QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
}

} // namespace

NoteDesk::NoteDesk(Console& console, QObject* parent)
    : QObject(parent)
    , m_console(console)
    , m_write(console.archive(), console.clock(), [this] { settle(); })
{
}

void NoteDesk::begin(NoteDraft draft, std::string id, std::int64_t version)
{
    m_draft = std::move(draft);
    m_id = std::move(id);
    m_version = version;
    m_requestUuid = newId();
    m_notice.clear();
    m_theirs.reset();
    m_phase = Phase::Editing;
    emit changed();
}

void NoteDesk::openNew(const QString& incidentId, Ms at, const QString& text)
{
    NoteDraft draft{incidentId.toStdString(), NoteSection::Timeline, at, text};
    const bool isLeft = m_left && m_left->incidentId == draft.incidentId && text.isEmpty();
    if (isLeft) draft = *m_left;
    begin(std::move(draft), newId(), 0);
    if (!isLeft) return;
    m_notice = QStringLiteral("This is the note that you left unsaved.");
    emit changed();
}

void NoteDesk::openEdit(const IncidentNote& note)
{
    begin(
        {note.incidentId, note.section, note.atMs, QString::fromStdString(note.text)},
        note.id,
        note.version);
}

void NoteDesk::edit(const NoteDraft& draft)
{
    if (draft == m_draft || m_phase == Phase::Writing) return;
    // Other words are another write.
    m_requestUuid = newId();
    m_draft = draft;
    emit changed();
}

QString NoteDesk::whyNot() const
{
    const auto& who = m_console.desk().who();
    if (who.isReadOnly) return QStringLiteral("This console is read-only: it writes no notes.");
    if (!m_write.hasArchive()) {
        return QStringLiteral("There is no store to write to: start with --store URL.");
    }
    if (m_phase == Phase::Writing) return QStringLiteral("Writing…");
    if (m_phase == Phase::Conflict) return QStringLiteral("Choose one of the two texts first.");
    if (m_draft.text.trimmed().isEmpty()) return QStringLiteral("Write what happened.");
    const auto length = static_cast<std::size_t>(m_draft.text.trimmed().size());
    if (length > kNoteCharactersMax) {
        return QStringLiteral("%1 characters too long.").arg(length - kNoteCharactersMax);
    }
    return {};
}

void NoteDesk::save()
{
    if (!isOpen() || !canSave()) return;
    const auto& who = m_console.desk().who();
    store::NoteChange change;
    change.note.id = m_id;
    change.note.incidentId = m_draft.incidentId;
    change.note.section = m_draft.section;
    change.note.atMs = m_draft.at;
    change.note.text = m_draft.text.trimmed().toStdString();
    change.expectedVersion = m_version;
    change.by.who = who.name.toStdString();
    change.by.host = who.host.toStdString();
    change.by.requestUuid = m_requestUuid;
    change.by.at = m_console.now();
    m_phase = Phase::Writing;
    m_notice.clear();
    m_write.ask(
        [change = std::move(change)](store::Database& db) { return db.writeNote(change); },
        Archive::Lane::Write);
    emit changed();
}

void NoteDesk::settle()
{
    if (m_phase != Phase::Writing) return;
    if (const auto& error = m_write.error()) {
        m_phase = Phase::NotWritten;
        m_notice = QStringLiteral("Not written: ") + plain(error->text());
        emit changed();
        return;
    }
    const store::Write<IncidentNote>& write = *m_write.value();
    if (write.outcome == store::WriteOutcome::Conflict && write.row) {
        meetTheirs(*write.row);
        return;
    }
    m_left.reset();
    m_draft = {};
    m_phase = Phase::Closed;
    emit changed();
    emit written();
}

void NoteDesk::meetTheirs(const IncidentNote& theirs)
{
    m_theirs = theirs;
    m_phase = Phase::Conflict;
    m_notice = QStringLiteral("%1 changed this note %2 ago. Nothing is written yet: both texts are "
                              "below.")
                   .arg(plain(theirs.updatedBy), age(m_console.now() - theirs.updatedAt));
    emit changed();
}

void NoteDesk::takeTheirs()
{
    if (m_theirs) openEdit(IncidentNote(*m_theirs));
}

void NoteDesk::keepMine()
{
    if (!m_theirs) return;
    NoteDraft mine = m_draft;
    begin(std::move(mine), m_id, m_theirs->version);
}

void NoteDesk::close()
{
    if (!isOpen()) return;
    // What is being written may come out either way; its words are not lost.
    if (isNew() && !m_draft.text.trimmed().isEmpty()) m_left = m_draft;
    m_write.drop();
    m_phase = Phase::Closed;
    emit changed();
}

void NoteDesk::meet(std::span<const IncidentNote> notes)
{
    if (m_phase != Phase::Editing || isNew()) return;
    const auto found = std::ranges::find(notes, m_id, &IncidentNote::id);
    if (found != notes.end() && found->version > m_version) meetTheirs(*found);
}

} // namespace weir::model
