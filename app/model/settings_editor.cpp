// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/settings_editor.h"

#include "common/base/number.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace weir::model {
namespace {

std::optional<std::string> otherWeight(const std::string& value)
{
    bool isNumber = false;
    const double weight = QString::fromStdString(value).toDouble(&isNumber);
    if (!isNumber || !(weight >= 0.0 && weight <= 1.0)) return std::nullopt;
    return shortestText(std::round((1.0 - weight) * 1e9) / 1e9);
}

bool isOf(const RouteSettings& row, const reports::RouteName& name)
{
    return row.model == name.model && row.provider == name.provider;
}

std::string textOr(const SettingTexts& texts, const std::string& key, std::string otherwise)
{
    const auto found = texts.find(key);
    return found == texts.end() ? std::move(otherwise) : found->second;
}

} // namespace

bool SettingsEditor::learnRoutes(std::vector<reports::RouteName> routes)
{
    for (const RouteSettings& row : m_draft.base.routes) {
        const reports::RouteName name{row.model, row.provider};
        if (std::ranges::find(routes, name) == routes.end()) routes.push_back(name);
    }
    m_routes.complete = true;
    if (routes == m_routes.routes) return false;
    m_routes.routes = std::move(routes);
    rebase(Decisions{m_draft.base});
    return true;
}

void SettingsEditor::clear(const Decisions& base)
{
    m_draft = {};
    m_merge.clear();
    rebase(base);
}

void SettingsEditor::take(SettingsDraft draft)
{
    m_draft = std::move(draft);
    if (!learnRoutes(m_routes.routes)) rebase(Decisions{m_draft.base});
}

void SettingsEditor::rebase(const Decisions& base)
{
    m_draft.base = base;
    // A route without a row has the standard one, so that a draft remembers which routes it knew.
    for (const reports::RouteName& name : m_routes.routes) {
        const auto isIt = [&name](const RouteSettings& row) { return isOf(row, name); };
        if (std::ranges::any_of(m_draft.base.routes, isIt)) continue;
        RouteSettings row;
        row.model = name.model;
        row.provider = name.provider;
        m_draft.base.routes.push_back(std::move(row));
    }
    m_standing.clear();
    if (!m_draft.base.settings.numbers.empty()) {
        for (const reports::Value& each : reports::standingValues(m_draft.base, m_routes.routes))
            m_standing[each.key] = each.value;
    }
    std::erase_if(m_draft.edits, [this](const auto& edit) {
        return textOr(m_standing, edit.first, edit.second + '?') == edit.second;
    });
    check();
}

void SettingsEditor::put(const std::string& key, const std::string& value)
{
    if (textOr(m_standing, key, value + '?') == value)
        m_draft.edits.erase(key);
    else
        m_draft.edits[key] = value;
}

void SettingsEditor::set(const std::string& key, const std::string& value)
{
    put(key, value);
    const bool isCost = key == "cost_weight";
    if (isCost || key == "speed_weight") {
        if (const auto other = otherWeight(value))
            put(isCost ? "speed_weight" : "cost_weight", *other);
    }
    check();
}

void SettingsEditor::check()
{
    m_faults.clear();
    m_edit.reset();
    if (m_draft.edits.empty()) return;
    for (const auto& [key, value] : m_draft.edits) {
        const std::string assignment = std::string{key}.append("=").append(value);
        const Status<> valid = reports::checkAssignment(m_draft.base, assignment, m_routes);
        if (!valid) m_faults[key] = valid.error().detail;
    }
    if (!m_faults.empty()) return;
    auto edit = reports::editSettings(m_draft.base, m_draft.assignments(), m_routes);
    if (!edit)
        m_faults[edit.error().where] = edit.error().detail;
    else if (!edit->changes.empty())
        m_edit = std::move(*edit);
}

void SettingsEditor::startMerge(const Decisions& newest)
{
    const std::vector<MergeRow> before = std::exchange(m_merge, {});
    m_merge = mergeOf(m_draft, newest, m_routes.routes);
    for (MergeRow& row : m_merge) {
        const auto old = std::ranges::find(before, row.key, &MergeRow::key);
        if (old != before.end() && old->theirs == row.theirs) row.choice = old->choice;
    }
}

void SettingsEditor::choose(const std::string& key, MergeRow::Choice choice)
{
    for (MergeRow& row : m_merge) {
        if (row.key == key) row.choice = choice;
    }
}

void SettingsEditor::finishMerge(const Decisions& newest)
{
    take(merged(m_draft, newest, std::exchange(m_merge, {})));
}

std::string SettingsEditor::standing(const std::string& key) const
{
    return textOr(m_standing, key, {});
}

std::string SettingsEditor::value(const std::string& key) const
{
    return textOr(m_draft.edits, key, standing(key));
}

std::vector<RouteSettings> SettingsEditor::editedRoutes() const
{
    std::vector<RouteSettings> rows = m_draft.base.routes;
    if (!m_edit) return rows;
    for (const RouteSettings& edited : m_edit->routes) {
        for (RouteSettings& row : rows) {
            if (isOf(row, {edited.model, edited.provider})) row = edited;
        }
    }
    return rows;
}

} // namespace weir::model
