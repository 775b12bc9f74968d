// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/format.h"
#include "app/model/settings_desk.h"

#include <algorithm>

namespace weir::model {
namespace {

constexpr qsizetype kReasonLeast = 10;

QString saved(
    const QString& what,
    std::int64_t version,
    const std::string& by,
    Duration age_,
    const std::string& reason)
{
    return plain(by) + QStringLiteral(" saved ") + what + QStringLiteral(" v%1 ").arg(version) +
           age(age_) + QStringLiteral(" ago: “") + plain(reason) + QStringLiteral("”");
}

} // namespace

PanelState SettingsDesk::panel() const
{
    return m_read.panel();
}

bool SettingsDesk::isRead() const
{
    return m_read.value() != nullptr;
}

const Decisions& SettingsDesk::newest() const
{
    static const Decisions kNone{{}, standardSettings(), {}};
    return m_read.value() != nullptr ? m_read.value()->decisions : kNone;
}

const std::vector<AuditEntry>& SettingsDesk::audit() const
{
    static const std::vector<AuditEntry> kNone;
    return m_read.value() != nullptr ? m_read.value()->audit : kNone;
}

bool SettingsDesk::isEditable() const
{
    const bool isFree =
        m_phase == Phase::Editing || m_phase == Phase::NotWritten || m_phase == Phase::Written;
    return isFree && isRead() && lock().isEmpty();
}

QString SettingsDesk::lock() const
{
    if (m_console.desk().who().isReadOnly)
        return QStringLiteral("This console was started read-only.");
    if (m_isForbidden) {
        return QStringLiteral("The store's login may not change settings: it needs the role "
                              "weir_engineer.");
    }
    if (m_console.archive() == nullptr) return QStringLiteral("There is no store: see --store.");
    return {};
}

QString SettingsDesk::whyNot() const
{
    if (const QString locked = lock(); !locked.isEmpty()) return locked;
    if (!isRead()) return QStringLiteral("The settings have not been read from the store yet.");
    if (m_phase == Phase::Writing) return QStringLiteral("Saving…");
    if (m_phase == Phase::Checking) return QStringLiteral("Checking whether it was saved…");
    if (m_phase == Phase::Unknown) return QStringLiteral("Check first whether it was saved.");
    if (m_phase == Phase::Merging) return QStringLiteral("Choose first what shall stand.");
    if (!m_editor.faults().empty()) {
        const auto& [key, fault] = *m_editor.faults().begin();
        return plain(key) + QChar(' ') + plain(fault) + QChar('.');
    }
    if (!m_editor.edit()) return QStringLiteral("Nothing is changed.");
    if (!news().isEmpty()) return QStringLiteral("Look first at what was saved meanwhile.");
    switch (m_preview.state()) {
    case SettingsPreview::State::Nothing:
    case SettingsPreview::State::Running:
        return QStringLiteral("The preview is still being computed.");
    case SettingsPreview::State::Failed:
        return QStringLiteral("The preview failed: try it again.");
    case SettingsPreview::State::Done:
        break;
    }
    for (const PreviewFinding& finding : m_preview.findings()) {
        if (finding.isBar) return finding.text;
    }
    if (m_editor.draft().reason.trimmed().size() < kReasonLeast)
        return QStringLiteral("Write a reason of 10 characters or more.");
    return {};
}

QString SettingsDesk::whyNoMerge() const
{
    if (m_phase != Phase::Merging || m_editor.mergeRows().empty())
        return QStringLiteral("Reading…");
    const auto open =
        std::ranges::count(m_editor.mergeRows(), MergeRow::Choice::None, &MergeRow::choice);
    if (open == 0) return {};
    return QStringLiteral("Choose one side for ") +
           counted(static_cast<std::int64_t>(open), QStringLiteral("value")) +
           QStringLiteral(" that both changed.");
}

QString SettingsDesk::news() const
{
    const SettingsDraft& draft = m_editor.draft();
    if (!isRead() || draft.isEmpty() || isSameVersions(draft.base, newest())) return {};
    const RoutingSettings& settings = newest().settings;
    const UtcTime now = m_console.now();
    if (settings.version != draft.base.settings.version) {
        return saved(
            QStringLiteral("the settings"),
            settings.version,
            settings.updatedBy,
            now - settings.updatedAt,
            settings.reason);
    }
    const auto newer = std::ranges::max_element(newest().routes, {}, &RouteSettings::updatedAt);
    if (newer == newest().routes.end()) return QStringLiteral("The routes' settings are others.");
    return saved(
        QStringLiteral("route ") + plain(newer->model) + QChar('/') + plain(newer->provider),
        newer->version,
        newer->updatedBy,
        now - newer->updatedAt,
        newer->reason);
}

QString SettingsDesk::notice() const
{
    return m_notice.isEmpty() ? m_keepTrouble : m_notice;
}

std::optional<SwitchProgress> SettingsDesk::progress() const
{
    if (m_phase != Phase::Written || !m_written) return std::nullopt;
    return settingsProgress(*m_written, m_console.fleet(), m_console.now());
}

} // namespace weir::model
