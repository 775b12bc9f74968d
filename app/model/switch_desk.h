// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/clock.h"
#include "app/model/profile.h"
#include "app/model/switch_draft.h"
#include "app/model/switch_progress.h"
#include "common/model/switch_change.h"

#include <QObject>

#include <optional>

namespace weir::model {

/// Who sits at this console.
struct Operator
{
    QString profile;
    QString name;
    QString host;
    bool isReadOnly = false;
    Band band = Band::None;
    /// Where drafts are kept; empty = they end with the console.
    QString dataFolder{};
};

/// The way of one turn of the switch: draft, write, what became of it, and how far the agents are.
/// The dialog only shows it; closing the dialog stops nothing.
class SwitchDesk final : public QObject
{
    Q_OBJECT

public:
    enum class Phase {
        Editing,
        Writing,
        Checking,   ///< the outcome is unknown; the store is asked for the uuid
        NotWritten, ///< `notice()` says why; the draft is kept
        Progress,   ///< written, by us or by somebody else with the same target
    };

    SwitchDesk(Operator who, Clock clock, QObject* parent = nullptr);

    /// Begins a turn to `target`; a draft of the same target younger than ten minutes comes back.
    void open(Mode target);
    void close();
    void edit(const SwitchDraft& draft);
    /// Asks for the write; nothing happens unless `canCommit()`.
    void commit();
    /// From NotWritten back to the draft.
    void edit();

    void settle(const SwitchOutcome& outcome);
    /// The newest row that the store has, whoever wrote it.
    void showRow(const RoutingSwitch& row);
    void showFacts(const SwitchFacts& facts);

    [[nodiscard]] Phase phase() const { return m_phase; }

    [[nodiscard]] Mode target() const { return m_target; }

    [[nodiscard]] const SwitchDraft& draft() const { return m_draft; }

    [[nodiscard]] const Operator& who() const { return m_who; }

    /// What happened that the operator must read before going on; empty where nothing.
    [[nodiscard]] QString notice() const { return m_notice; }

    [[nodiscard]] bool isConflict() const { return m_isConflict; }

    [[nodiscard]] std::vector<PreflightItem> checks() const;
    [[nodiscard]] bool needsOverride() const;
    /// Why the button is disabled; empty where it is not.
    [[nodiscard]] QString whyNot() const;

    [[nodiscard]] bool canCommit() const { return whyNot().isEmpty(); }

    [[nodiscard]] const SwitchFacts& facts() const { return m_facts; }

    [[nodiscard]] std::optional<SwitchProgress> progress() const;

    /// What was written, while agents are still counted.
    [[nodiscard]] const std::optional<RoutingSwitch>& written() const { return m_written; }

    [[nodiscard]] UtcTime now() const { return m_clock(); }

signals:
    void changed();
    /// The row changed under an open dialog: its meaning is new.
    void meaningChanged();
    void changeRequested(const weir::SwitchChange& change);

private:
    void meetRow(const RoutingSwitch& row);
    void follow(const RoutingSwitch& row);

    Operator m_who;
    Clock m_clock;
    Mode m_target = Mode::Fixed;
    Phase m_phase = Phase::Editing;
    SwitchDraft m_draft;
    std::optional<UtcTime> m_closedAt;
    std::optional<UtcTime> m_heldUntil;
    bool m_isOpen = false;
    bool m_isConflict = false;
    QString m_notice;
    SwitchFacts m_facts;
    std::optional<RoutingSwitch> m_base;
    std::optional<RoutingSwitch> m_written;
    std::string m_requestUuid;
};

} // namespace weir::model
