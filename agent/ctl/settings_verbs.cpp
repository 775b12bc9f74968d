// SPDX-License-Identifier: Apache-2.0
#include "agent/config/nearest.h"
#include "agent/ctl/applied.h"
#include "agent/ctl/format.h"
#include "agent/ctl/known_routes.h"
#include "agent/ctl/settings_view.h"
#include "agent/ctl/verbs.h"
#include "agent/net/clock.h"
#include "agent/reports/settings_edit.h"
#include "common/base/text.h"
#include "common/model/settings_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace weir::ctl {
namespace {

Exit badUsage(const Io& io, const Error& error)
{
    failed(io, error);
    return Exit::Usage;
}

template <class Row>
Exit reportConflict(const store::Write<Row>& write, std::string_view what, const Io& io)
{
    std::string now = "it is gone";
    if (write.row) {
        const double age =
            static_cast<double>((net::utcNow() - write.row->updatedAt).count()) / 1000.0;
        now = "version " + std::to_string(write.row->version) + " by " +
              cleaned(write.row->updatedBy) + ' ' + formatAge(age) +
              " ago: " + cleaned(write.row->reason, 1000);
    }
    return failed(
        io,
        std::string{what} + " not written, as somebody else changed it in the meantime: " + now +
            ": look, and try again");
}

/// Writes the rows one by one, each with a request id of its own. What is written is in `json`.
Exit writeAll(
    store::Store& store,
    const reports::Edit& edit,
    const std::string& reason,
    const Io& io,
    nlohmann::ordered_json& json)
{
    if (edit.settingsChanged) {
        store::SettingsChange change{
            edit.settings, edit.settings.version, authorship(reason, io.env, net::utcNow())};
        const auto write = store.writeSettings(change);
        if (!write) return failed(io, write.error());
        if (write->outcome == store::WriteOutcome::Conflict || !write->row) {
            return reportConflict(*write, "the settings were", io);
        }
        json["settings"] = toJson(*write->row);
    }
    for (const RouteSettings& row : edit.routes) {
        store::RouteChange change{row, row.version, authorship(reason, io.env, net::utcNow())};
        const auto write = store.writeRoute(change);
        if (!write) return failed(io, write.error());
        if (write->outcome == store::WriteOutcome::Conflict || !write->row) {
            return reportConflict(*write, "route " + row.model + '/' + row.provider + " was", io);
        }
        json["routes"].push_back(toJson(*write->row));
    }
    return Exit::Done;
}

Exit awaitSettings(
    store::Store& store,
    std::chrono::seconds grace,
    std::int64_t version,
    const Options& options,
    const Io& io,
    nlohmann::ordered_json& json)
{
    const auto hasApplied = [version](const AgentPresence& agent) {
        return agent.settingsVersion >= version;
    };
    Waiter waiter;
    waiter.watchSignals(false);
    const Result<Applied> applied = awaitApplied(store, grace, waiter, hasApplied);
    if (!applied) return failed(io, applied.error());
    json["applied"] = toJson(*applied);
    if (!applied->byAll()) return failed(io, sentenceOf(*applied, hasApplied));
    if (!options.json) io.out << sentenceOf(*applied, hasApplied) << '\n';
    return Exit::Done;
}

} // namespace

Exit run(const SettingsGetVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto store = places.openStore();
    if (!store) return failed(io, store.error());
    const Result<Decisions> decisions = (*store)->readDecisions();
    if (!decisions) return failed(io, decisions.error());
    const std::vector<std::string_view> known = settingKeys();
    for (const std::string& key : verb.keys) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        return badUsage(
            io, {"bad_usage", cleaned(key), "no such setting" + config::suggestion(key, known)});
    }
    if (!options.json) {
        print(io, settingsLines(*decisions, verb.keys, net::utcNow(), io.width()));
        return Exit::Done;
    }
    const nlohmann::ordered_json settings = toJson(decisions->settings);
    nlohmann::ordered_json json;
    for (const std::string& key : verb.keys)
        json[key] = settings[key];
    if (verb.keys.empty()) {
        json = {{"settings", settings}, {"routes", nlohmann::ordered_json::array()}};
        for (const RouteSettings& row : decisions->routes)
            json["routes"].push_back(toJson(row));
    }
    io.out << json.dump(2) << '\n';
    return Exit::Done;
}

Exit run(const SettingsSetVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto store = places.openStore();
    if (!store) return failed(io, store.error());
    const Result<Decisions> decisions = (*store)->readDecisions();
    if (!decisions) return failed(io, decisions.error());
    const bool names =
        std::any_of(verb.assignments.begin(), verb.assignments.end(), reports::isRouteKey);
    const reports::KnownRoutes known =
        names ? knownRoutes(places, *decisions) : reports::KnownRoutes{};
    const Result<reports::Edit> edit = reports::editSettings(*decisions, verb.assignments, known);
    if (!edit) return badUsage(io, edit.error());
    nlohmann::ordered_json json{
        {"outcome", edit->changes.empty() ? "unchanged" : "written"},
        {"settings", nullptr},
        {"routes", nlohmann::ordered_json::array()}};
    Exit exit = writeAll(**store, *edit, verb.reason, io, json);
    if (exit == Exit::Done && !options.json) print(io, changeLines(edit->changes, io.width()));
    if (exit == Exit::Done && edit->settingsChanged) {
        const auto version = json["settings"]["version"].get<std::int64_t>();
        if (!options.json) io.out << "The settings are version " << version << " now.\n";
        exit = awaitSettings(**store, graceOf(places), version, options, io, json);
    }
    if (exit == Exit::Done && !edit->routes.empty() && !options.json) {
        io.out << "Every agent goes by the route's settings within 5 s.\n";
    }
    if (exit != Exit::Done) json["outcome"] = "failed";
    if (options.json) io.out << json.dump(2) << '\n';
    return exit;
}

} // namespace weir::ctl
