// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/settings_view.h"

#include "agent/ctl/format.h"
#include "agent/ctl/table.h"
#include "common/base/number.h"
#include "common/base/text.h"

#include <algorithm>
#include <iterator>

namespace weir::ctl {
namespace {

using enum Column::Align;

std::string ageOf(UtcTime then, UtcTime now)
{
    return formatAge(static_cast<double>((now - then).count()) / 1000.0) + " ago";
}

bool isWanted(const std::vector<std::string>& keys, std::string_view key)
{
    return keys.empty() || std::find(keys.begin(), keys.end(), key) != keys.end();
}

Table settingsTable(const RoutingSettings& settings, const std::vector<std::string>& keys)
{
    Table table;
    table.columns = {
        {"SETTING", Left, 0, {}},
        {"VALUE", Right, 0, {}},
        {"UNIT", Left, 3, {}},
        {"STANDARD", Right, 2, {}},
        {"ALLOWED", Left, 1, {}},
        {"MEANING", Left, 4, {}}};
    const auto add = [&](std::string_view key,
                         const std::string& value,
                         const std::string& standard,
                         std::string_view unit,
                         std::string allowed,
                         std::string_view meaning) {
        if (!isWanted(keys, key)) return;
        const Style style = value == standard ? Style::Plain : Style::Accent;
        table.rows.push_back(
            {{},
             {{std::string{key}, Style::Bold},
              {value, style},
              {std::string{unit}},
              {standard, Style::Dim},
              {std::move(allowed), Style::Dim},
              {std::string{meaning}, Style::Dim}}});
    };
    add("objective",
        settings.objective,
        RoutingSettings{}.objective,
        "",
        "score, routing_cost",
        "what the leader is chosen by");
    for (const SettingSpec& spec : settingSpecs()) {
        add(spec.key,
            shortestText(settings.number(spec.key)),
            shortestText(spec.standard),
            spec.unit,
            shortestText(spec.minimum) + " to " + shortestText(spec.maximum),
            spec.meaning);
    }
    return table;
}

Table routesTable(const std::vector<RouteSettings>& routes, UtcTime now)
{
    Table table;
    table.columns = {
        {"MODEL", Left, 0, {}},
        {"PROVIDER", Left, 0, {}},
        {"ENABLED", Left, 0, {}},
        {"POSITION", Right, 0, {}},
        {"BIAS", Right, 0, {}},
        {"VERSION", Right, 2, {}},
        {"CHANGED", Left, 1, {}},
        {"REASON", Left, 3, {}}};
    for (const RouteSettings& row : routes) {
        const std::string position =
            row.fixedPosition ? std::to_string(*row.fixedPosition) : std::string{kUnknown};
        table.rows.push_back(
            {{},
             {{cleaned(row.model)},
              {cleaned(row.provider), Style::Bold},
              {row.enabled ? "yes" : "no", row.enabled ? Style::Good : Style::Bad},
              {position},
              {shortestText(row.scoreBias), row.scoreBias == 1.0 ? Style::Plain : Style::Accent},
              {'v' + std::to_string(row.version)},
              {ageOf(row.updatedAt, now) + " by " + cleaned(row.updatedBy)},
              {cleaned(row.reason)}}});
    }
    return table;
}

} // namespace

std::vector<std::string_view> settingKeys()
{
    std::vector<std::string_view> keys{"objective"};
    for (const SettingSpec& spec : settingSpecs())
        keys.push_back(spec.key);
    return keys;
}

std::vector<Line> settingsLines(
    const Decisions& decisions,
    const std::vector<std::string>& keys,
    UtcTime now,
    std::size_t width)
{
    const RoutingSettings& settings = decisions.settings;
    std::vector<Line> lines = layOut(settingsTable(settings, keys), width);
    if (!keys.empty()) return lines;
    lines.emplace_back();
    const Line written{
        {"version " + std::to_string(settings.version), Style::Bold},
        {" by " + cleaned(settings.updatedBy) + ' '},
        {ageOf(settings.updatedAt, now), Style::Dim},
        {"  “" + cleaned(settings.reason) + "”", Style::Accent}};
    lines.push_back(cutEnd(written, width));
    lines.emplace_back();
    if (decisions.routes.empty()) {
        lines.push_back({{"No route has settings of its own.", Style::Dim}});
        return lines;
    }
    std::vector<Line> routes = layOut(routesTable(decisions.routes, now), width);
    std::move(routes.begin(), routes.end(), std::back_inserter(lines));
    return lines;
}

std::vector<Line> changeLines(const std::vector<reports::Change>& changes, std::size_t width)
{
    if (changes.empty()) return {{{"Nothing to change: it stands so already.", Style::Dim}}};
    std::vector<Line> lines;
    for (const reports::Change& change : changes) {
        const Line line{
            {cleaned(change.key), Style::Bold},
            {"  " + change.before + " → ", Style::Dim},
            {change.after, Style::Accent}};
        lines.push_back(cutEnd(line, width));
    }
    return lines;
}

} // namespace weir::ctl
