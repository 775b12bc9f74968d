// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/store/note_store.h"
#include "app/model/asked.h"
#include "app/model/time_series.h"
#include "common/model/incident_note.h"

#include <QObject>
#include <QString>

#include <optional>
#include <span>

namespace weir::model {

class Console;

/// What somebody is typing.
struct NoteDraft
{
    std::string incidentId;
    NoteSection section = NoteSection::Timeline;
    Ms at = 0;
    QString text;

    bool operator==(const NoteDraft&) const = default;
};

/// The way of one note: draft, write, what became of it. Of two who edit the same version the
/// second one sees both texts before anything is written over.
class NoteDesk final : public QObject
{
    Q_OBJECT

public:
    enum class Phase { Closed, Editing, Writing, NotWritten, Conflict };

    explicit NoteDesk(Console& console, QObject* parent = nullptr);

    /// A draft that was left behind comes back, unless `text` begins another one.
    void openNew(const QString& incidentId, Ms at, const QString& text);
    void openEdit(const IncidentNote& note);
    void edit(const NoteDraft& draft);
    /// Nothing happens unless `canSave()`.
    void save();
    /// After a conflict: goes on with their words, or with ours over theirs. Writes nothing.
    void takeTheirs();
    void keepMine();
    void close();
    /// The notes as they stand in the store now.
    void meet(std::span<const IncidentNote> notes);

    [[nodiscard]] Phase phase() const { return m_phase; }

    [[nodiscard]] bool isOpen() const { return m_phase != Phase::Closed; }

    [[nodiscard]] bool isNew() const { return m_version == 0; }

    [[nodiscard]] const NoteDraft& draft() const { return m_draft; }

    /// What must be read before going on; empty where nothing.
    [[nodiscard]] const QString& notice() const { return m_notice; }

    /// In a conflict: what the other one wrote.
    [[nodiscard]] const std::optional<IncidentNote>& theirs() const { return m_theirs; }

    /// Why it cannot be saved; empty where it can.
    [[nodiscard]] QString whyNot() const;

    [[nodiscard]] bool canSave() const { return whyNot().isEmpty(); }

signals:
    void changed();
    /// It is in the store.
    void written();

private:
    void begin(NoteDraft draft, std::string id, std::int64_t version);
    void settle();
    void meetTheirs(const IncidentNote& theirs);

    Console& m_console;
    Asked<store::Write<IncidentNote>> m_write;
    Phase m_phase = Phase::Closed;
    NoteDraft m_draft;
    /// A new note that was left without being saved.
    std::optional<NoteDraft> m_left;
    std::string m_id;
    /// The one that is edited; 0 = a new note.
    std::int64_t m_version = 0;
    /// The same for every try to write the same words.
    std::string m_requestUuid;
    QString m_notice;
    std::optional<IncidentNote> m_theirs;
};

} // namespace weir::model
