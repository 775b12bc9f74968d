// SPDX-License-Identifier: Apache-2.0
#include "agent/reports/settings_edit.h"

#include "agent/config/nearest.h"
#include "common/base/number.h"
#include "common/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace weir::reports {
namespace {

constexpr std::string_view kRoutePrefix = "route.";
constexpr std::array<std::string_view, 3> kRouteFields{"enabled", "score_bias", "fixed_position"};

struct Bounds
{
    double minimum;
    double maximum;
};

/// Contract section 5, and the constraints of the table.
constexpr Bounds kBias{0.5, 1.5};
constexpr Bounds kPosition{1, 1000};

tl::unexpected<Error> badUsage(std::string_view key, std::string detail)
{
    return fail("bad_usage", cleaned(key), std::move(detail));
}

/// "0.4", not "0.30000000000000004".
std::string rounded(double value)
{
    return shortestText(std::round(value * 1e9) / 1e9);
}

Result<double> numberWithin(std::string_view key, std::string_view text, const Bounds& bounds)
{
    double value = 0.0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    const bool isNumber = error == std::errc{} && end == last && !text.empty();
    if (isNumber && value >= bounds.minimum && value <= bounds.maximum) return value;
    return badUsage(
        key,
        "must be a number between " + shortestText(bounds.minimum) + " and " +
            shortestText(bounds.maximum) + ", not " + cleaned(text, 40));
}

std::optional<bool> flagOf(std::string_view text)
{
    for (const std::string_view yes : {"true", "on", "yes", "1"}) {
        if (equalsIgnoreCase(text, yes)) return true;
    }
    for (const std::string_view no : {"false", "off", "no", "0"}) {
        if (equalsIgnoreCase(text, no)) return false;
    }
    return std::nullopt;
}

struct RouteKey
{
    RouteName route;
    std::string_view field;
};

/// Model and provider may hold dots themselves, so the known routes say where the name is cut; for
/// unknown ones the provider is what follows the last dot.
Result<RouteKey> parseRouteKey(std::string_view key, const KnownRoutes& known)
{
    const std::string_view rest = key.substr(kRoutePrefix.size());
    const std::size_t lastDot = rest.rfind('.');
    const std::string_view name = rest.substr(0, lastDot == rest.npos ? 0 : lastDot);
    const std::string_view field = lastDot == rest.npos ? rest : rest.substr(lastDot + 1);
    if (std::find(kRouteFields.begin(), kRouteFields.end(), field) == kRouteFields.end()) {
        return badUsage(
            key,
            "must end in .enabled, .score_bias or .fixed_position" +
                config::suggestion(field, kRouteFields));
    }
    std::vector<std::string> names;
    for (const RouteName& route : known.routes) {
        names.push_back(route.model + '.' + route.provider);
        if (names.back() == name) return RouteKey{route, field};
    }
    if (known.complete) {
        const std::vector<std::string_view> views(names.begin(), names.end());
        return badUsage(key, "no such route" + config::suggestion(name, views));
    }
    const std::size_t dot = name.rfind('.');
    if (dot == name.npos || dot == 0 || dot + 1 == name.size()) {
        return badUsage(key, "must be route.MODEL.PROVIDER." + std::string{field});
    }
    return RouteKey{{std::string{name.substr(0, dot)}, std::string{name.substr(dot + 1)}}, field};
}

std::string textOf(const std::optional<int>& position)
{
    return position ? std::to_string(*position) : "none";
}

/// The row being edited, or the stored one, or a new one.
RouteSettings& rowOf(Edit& edit, const Decisions& decisions, const RouteName& name)
{
    const auto isIt = [&](const RouteSettings& row) {
        return row.model == name.model && row.provider == name.provider;
    };
    const auto edited = std::find_if(edit.routes.begin(), edit.routes.end(), isIt);
    if (edited != edit.routes.end()) return *edited;
    const auto stored = std::find_if(decisions.routes.begin(), decisions.routes.end(), isIt);
    RouteSettings fresh;
    fresh.model = name.model;
    fresh.provider = name.provider;
    edit.routes.push_back(stored == decisions.routes.end() ? fresh : *stored);
    return edit.routes.back();
}

Status<> setRouteField(
    RouteSettings& row,
    std::string_view field,
    std::string_view key,
    std::string_view value,
    Change& change)
{
    if (field == "enabled") {
        const std::optional<bool> enabled = flagOf(value);
        if (!enabled) return badUsage(key, "must be true or false, not " + cleaned(value, 40));
        change.before = row.enabled ? "true" : "false";
        change.after = *enabled ? "true" : "false";
        row.enabled = *enabled;
        return {};
    }
    if (field == "score_bias") {
        const Result<double> bias = numberWithin(key, value, kBias);
        if (!bias) return tl::unexpected{bias.error()};
        change.before = shortestText(row.scoreBias);
        change.after = shortestText(*bias);
        row.scoreBias = *bias;
        return {};
    }
    std::optional<int> position;
    if (value != "none") {
        const Result<double> number = numberWithin(key, value, kPosition);
        if (!number || std::floor(*number) != *number) {
            return badUsage(
                key, "must be a whole number from 1 to 1000, or none, not " + cleaned(value, 40));
        }
        position = static_cast<int>(*number);
    }
    change.before = textOf(row.fixedPosition);
    change.after = textOf(position);
    row.fixedPosition = position;
    return {};
}

Status<> setNumber(Edit& edit, std::string_view key, std::string_view value, Change& change)
{
    const auto specs = settingSpecs();
    const auto spec = std::find_if(
        specs.begin(), specs.end(), [key](const SettingSpec& one) { return one.key == key; });
    if (spec == specs.end()) {
        std::vector<std::string_view> known{"objective"};
        for (const SettingSpec& one : specs)
            known.push_back(one.key);
        return badUsage(key, "no such setting" + config::suggestion(key, known));
    }
    const Result<double> number = numberWithin(key, value, {spec->minimum, spec->maximum});
    if (!number) return tl::unexpected{number.error()};
    double& current = edit.settings.numbers.find(key)->second;
    change.before = shortestText(current);
    change.after = shortestText(*number);
    current = *number;
    return {};
}

Status<> assign(
    Edit& edit, const Decisions& decisions, const std::string& assignment, const KnownRoutes& known)
{
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
        return badUsage(assignment, "must be KEY=VALUE, as in slow_factor=4");
    }
    const std::string_view key = trimmed(std::string_view{assignment}.substr(0, equals));
    const std::string_view value = trimmed(std::string_view{assignment}.substr(equals + 1));
    Change change{std::string{key}, {}, {}};
    Status<> done;
    if (isRouteKey(key)) {
        const Result<RouteKey> parsed = parseRouteKey(key, known);
        if (!parsed) return tl::unexpected{parsed.error()};
        done =
            setRouteField(rowOf(edit, decisions, parsed->route), parsed->field, key, value, change);
    } else if (key == "objective") {
        change.before = edit.settings.objective;
        change.after = cleaned(value, 40);
        edit.settings.objective = change.after;
    } else {
        done = setNumber(edit, key, value, change);
    }
    if (done && change.before != change.after) edit.changes.push_back(std::move(change));
    return done;
}

/// As `validate` says it, with the number that is wanted where only one weight was given.
Status<> checkSettings(const RoutingSettings& settings, const Decisions& before)
{
    const Status<> valid = validate(settings);
    if (valid) return {};
    const double cost = settings.number("cost_weight");
    const double speed = settings.number("speed_weight");
    const bool costGiven = cost != before.settings.number("cost_weight");
    const bool speedGiven = speed != before.settings.number("speed_weight");
    std::string cure;
    if (valid.error().where == "cost_weight" && costGiven != speedGiven) {
        cure = costGiven ? ": add speed_weight=" + rounded(1.0 - cost)
                         : ": add cost_weight=" + rounded(1.0 - speed);
    }
    return badUsage(valid.error().where, valid.error().detail + cure);
}

} // namespace

bool isRouteKey(std::string_view key)
{
    return key.starts_with(kRoutePrefix);
}

std::string routeKey(const RouteName& route, std::string_view field)
{
    std::string key{kRoutePrefix};
    return key.append(route.model).append(".").append(route.provider).append(".").append(field);
}

Status<>
checkAssignment(const Decisions& decisions, const std::string& assignment, const KnownRoutes& known)
{
    Edit scratch;
    scratch.settings = decisions.settings;
    return assign(scratch, decisions, assignment, known);
}

std::vector<Value> standingValues(const Decisions& decisions, std::span<const RouteName> routes)
{
    std::vector<Value> values{{"objective", decisions.settings.objective}};
    for (const SettingSpec& spec : settingSpecs()) {
        values.push_back(
            {std::string{spec.key}, shortestText(decisions.settings.number(spec.key))});
    }
    Edit scratch;
    for (const RouteName& route : routes) {
        const RouteSettings row = rowOf(scratch, decisions, route);
        values.push_back({routeKey(route, "enabled"), row.enabled ? "true" : "false"});
        values.push_back({routeKey(route, "score_bias"), shortestText(row.scoreBias)});
        values.push_back({routeKey(route, "fixed_position"), textOf(row.fixedPosition)});
    }
    return values;
}

Result<Edit> editSettings(
    const Decisions& decisions, std::span<const std::string> assignments, const KnownRoutes& known)
{
    Edit edit;
    edit.settings = decisions.settings;
    for (const std::string& assignment : assignments) {
        if (const Status<> done = assign(edit, decisions, assignment, known); !done) {
            return tl::unexpected{done.error()};
        }
    }
    if (const Status<> valid = checkSettings(edit.settings, decisions); !valid) {
        return tl::unexpected{valid.error()};
    }
    edit.settingsChanged = !(edit.settings == decisions.settings);
    std::erase_if(edit.routes, [&](const RouteSettings& row) {
        const auto& stored = decisions.routes;
        if (std::find(stored.begin(), stored.end(), row) != stored.end()) return true;
        RouteSettings standard;
        standard.model = row.model;
        standard.provider = row.provider;
        return row == standard;
    });
    return edit;
}

} // namespace weir::reports
