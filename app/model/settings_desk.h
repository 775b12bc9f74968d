// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/asked.h"
#include "app/model/console.h"
#include "app/model/settings_audit.h"
#include "app/model/settings_editor.h"
#include "app/model/settings_preview.h"
#include "app/model/settings_save.h"
#include "app/model/switch_progress.h"

#include <QObject>

#include <functional>
#include <optional>

namespace weir::model {

/// The way of one change of the settings: draft, preview, write, what became of it, and how far the
/// agents are. The page only shows it. Lives in the GUI thread.
class SettingsDesk final : public QObject
{
    Q_OBJECT

public:
    enum class Phase : std::uint8_t {
        Editing,
        Merging, ///< somebody else wrote: three columns
        Writing,
        Checking,   ///< the outcome is unknown; the same write is done once more
        Unknown,    ///< it could not be found out yet; nothing else is written before it is
        NotWritten, ///< `notice()` says why; the draft is kept
        Written,
    };

    using Save = std::function<SaveReport(store::Database&, const SaveOrder&)>;

    SettingsDesk(Console& console, Save save = saveSettings, QObject* parent = nullptr);
    ~SettingsDesk() override;

    /// Reads what stands.
    void read();
    /// Once a second: keeps the draft, and looks for what others wrote.
    void tick();

    void edit(const std::string& key, const std::string& value);
    void setReason(const QString& reason);
    void discard();
    void retryPreview();
    /// Writes the draft; nothing happens unless `whyNot()` is empty.
    void save();
    /// From Unknown: the same write once more. From NotWritten and Written: back to the draft.
    void goOn();
    /// To the three columns, where something newer stands.
    void merge();
    void choose(const std::string& key, MergeRow::Choice choice);
    /// With the choices made; nothing happens unless `whyNoMerge()` is empty.
    void finishMerge();
    /// The draft becomes what takes this entry's changes back. Error code "no_revert".
    [[nodiscard]] Status<> revert(const AuditEntry& entry);

    [[nodiscard]] Phase phase() const { return m_phase; }

    [[nodiscard]] PanelState panel() const;
    [[nodiscard]] bool isRead() const;
    /// The newest that was read.
    [[nodiscard]] const Decisions& newest() const;
    [[nodiscard]] const std::vector<AuditEntry>& audit() const;

    [[nodiscard]] const SettingsEditor& editor() const { return m_editor; }

    [[nodiscard]] const SettingsPreview& preview() const { return m_preview; }

    [[nodiscard]] bool isEditable() const;
    /// Why nothing may be written at all; empty where it may.
    [[nodiscard]] QString lock() const;
    /// Why the draft cannot be saved now; empty where it can.
    [[nodiscard]] QString whyNot() const;
    [[nodiscard]] QString whyNoMerge() const;
    /// What somebody wrote since the draft began; empty where nobody did.
    [[nodiscard]] QString news() const;
    /// What became of the last write; empty where there is nothing to say.
    [[nodiscard]] QString notice() const;
    /// How far the agents are with the settings that were written last.
    [[nodiscard]] std::optional<SwitchProgress> progress() const;

signals:
    void changed();

private:
    void takeStand();
    void takeReport();
    void takeRows(const SaveReport& report);
    void takeWritten(const SaveReport& report);
    void takeFailure(const SaveReport& report);
    void post();
    void touched();
    void ask();
    void loadDraft();
    void keepDraft();
    [[nodiscard]] std::vector<reports::RouteName> knownRoutes() const;

    Console& m_console;
    Save m_save;
    Phase m_phase = Phase::Editing;
    Asked<SettingsStand> m_read;
    Asked<SaveReport> m_write;
    UtcTime m_askedAt{};
    SettingsPreview m_preview;
    SettingsEditor m_editor;
    std::optional<RoutingSettings> m_written;
    QString m_notice;
    QString m_keepTrouble;
    bool m_isForbidden = false;
    bool m_isDraftLoaded = false;
    bool m_isDirty = false;
};

} // namespace weir::model
