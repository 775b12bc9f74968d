// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/reports/settings_edit.h"
#include "common/base/result.h"
#include "common/model/settings.h"

#include <QByteArray>
#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir::model {

/// Values by the keys that weirctl knows them by ("slow_factor", "route.glm-5.2.baseten.enabled").
using SettingTexts = std::map<std::string, std::string, std::less<>>;

/// What somebody has typed into the settings and not saved yet. Survives a restart.
struct SettingsDraft
{
    /// The rows that it began from: settings and routes alone.
    Decisions base;
    /// Only what differs from `base`; may be no number at all.
    SettingTexts edits;
    QString reason;
    /// Of a write whose outcome is not known; empty = there is none.
    std::string requestUuid;

    [[nodiscard]] std::vector<std::string> assignments() const;

    /// Neither edits nor a write that is to be looked after.
    [[nodiscard]] bool isEmpty() const { return edits.empty() && requestUuid.empty(); }
};

[[nodiscard]] QByteArray toJson(const SettingsDraft& draft);
/// Error code "bad_draft".
[[nodiscard]] Result<SettingsDraft> draftFromJson(const QByteArray& text);

/// Nothing where there is no file. Error code "bad_draft".
[[nodiscard]] Result<std::optional<SettingsDraft>> readDraft(const QString& path);
/// The old file or the new one, never half of it; an empty draft leaves no file. Error code
/// "draft_not_kept".
[[nodiscard]] Status<> writeDraft(const QString& path, const SettingsDraft& draft);

/// One value that somebody changed since the draft began, or that the draft changes.
struct MergeRow
{
    enum class Choice : std::uint8_t { None, Theirs, Yours };

    std::string key;
    std::string base;
    std::string theirs;
    std::string yours;
    Choice choice = Choice::None;

    [[nodiscard]] bool isBothChanged() const
    {
        return theirs != base && yours != base && theirs != yours;
    }

    bool operator==(const MergeRow&) const = default;
};

/// What only one side changed is chosen already.
[[nodiscard]] std::vector<MergeRow> mergeOf(
    const SettingsDraft& draft,
    const Decisions& newest,
    const std::vector<reports::RouteName>& routes);

/// The draft on top of `newest` with what was chosen.
[[nodiscard]] SettingsDraft
merged(const SettingsDraft& draft, const Decisions& newest, const std::vector<MergeRow>& rows);

/// Whether the same versions of settings and routes stand in both.
[[nodiscard]] bool isSameVersions(const Decisions& a, const Decisions& b);

} // namespace weir::model
