// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings_draft.h"

#include <optional>
#include <string>
#include <vector>

namespace weir::model {

/// A draft of the settings with what is wrong in it and what it comes to. A plain value: it reads
/// and writes nothing.
class SettingsEditor final
{
public:
    /// True where these are others than before.
    bool learnRoutes(std::vector<reports::RouteName> routes);
    /// Begins again, without edits.
    void clear(const Decisions& base);
    void take(SettingsDraft draft);
    /// The edits stay, those that stand so by now go.
    void rebase(const Decisions& base);
    /// One weight says what the other is.
    void set(const std::string& key, const std::string& value);

    void setReason(const QString& reason) { m_draft.reason = reason; }

    void setRequest(const std::string& uuid) { m_draft.requestUuid = uuid; }

    /// Of what others wrote since; choices made before stay where nothing is new.
    void startMerge(const Decisions& newest);
    void choose(const std::string& key, MergeRow::Choice choice);
    void finishMerge(const Decisions& newest);

    void dropMerge() { m_merge.clear(); }

    [[nodiscard]] const SettingsDraft& draft() const { return m_draft; }

    [[nodiscard]] const std::vector<reports::RouteName>& routes() const { return m_routes.routes; }

    [[nodiscard]] bool knows(const std::string& key) const { return m_standing.contains(key); }

    /// The value that the draft began from.
    [[nodiscard]] std::string standing(const std::string& key) const;
    /// The value of the draft, or the one that stands.
    [[nodiscard]] std::string value(const std::string& key) const;

    /// What is wrong, by key.
    [[nodiscard]] const SettingTexts& faults() const { return m_faults; }

    /// What is to be written; nothing where something is wrong or nothing is changed.
    [[nodiscard]] const std::optional<reports::Edit>& edit() const { return m_edit; }

    /// The routes' rows with the edits made.
    [[nodiscard]] std::vector<RouteSettings> editedRoutes() const;

    [[nodiscard]] const std::vector<MergeRow>& mergeRows() const { return m_merge; }

private:
    void check();
    void put(const std::string& key, const std::string& value);

    reports::KnownRoutes m_routes;
    SettingsDraft m_draft;
    SettingTexts m_standing;
    SettingTexts m_faults;
    std::optional<reports::Edit> m_edit;
    std::vector<MergeRow> m_merge;
};

} // namespace weir::model
