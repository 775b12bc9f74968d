// SPDX-License-Identifier: Apache-2.0
#include "agent/config/nearest.h"
#include "agent/ctl/applied.h"
#include "agent/ctl/drill_view.h"
#include "agent/ctl/drill_wait.h"
#include "agent/ctl/format.h"
#include "agent/ctl/known_routes.h"
#include "agent/ctl/verbs.h"
#include "agent/net/clock.h"
#include "common/base/text.h"
#include "common/model/drill_json.h"
#include "common/routing/fixed_order.h"

#include <nlohmann/json.hpp>

#include <ostream>
#include <set>

namespace weir::ctl {
namespace {

using Json = nlohmann::ordered_json;

Exit badUsage(const Io& io, const std::string& sentence)
{
    failed(io, sentence);
    return Exit::Usage;
}

std::string suggestionFor(const std::string& word, const std::set<std::string>& known)
{
    const std::vector<std::string_view> words(known.begin(), known.end());
    return config::suggestion(word, words);
}

/// What speaks against this drill; nothing where nothing does.
struct Objection
{
    Exit exit = Exit::Failed;
    std::string text;
};

std::optional<Objection> objectionTo(
    const DrillStartVerb& verb, const reports::KnownRoutes& known, const Decisions& decisions)
{
    std::set<std::string> models;
    std::set<std::string> providers;
    std::size_t enabled = 0;
    bool isEnabled = false;
    for (const reports::RouteName& route : known.routes) {
        models.insert(route.model);
        if (route.model != verb.model) continue;
        providers.insert(route.provider);
        const RouteSettings* const own =
            routing::settingsOf(decisions.routes, route.model, route.provider);
        if (own != nullptr && !own->enabled) continue;
        ++enabled;
        isEnabled = isEnabled || route.provider == verb.provider;
    }
    if (!models.contains(verb.model)) {
        return Objection{
            Exit::Usage,
            "no such model: " + cleaned(verb.model, 80) + suggestionFor(verb.model, models)};
    }
    const std::string route = cleaned(verb.model, 80) + '/' + cleaned(verb.provider, 80);
    if (!providers.contains(verb.provider)) {
        return Objection{
            Exit::Usage, "no such route: " + route + suggestionFor(verb.provider, providers)};
    }
    if (!isEnabled) return Objection{Exit::Failed, "the route " + route + " is switched off"};
    if (enabled == 1 && !verb.force) {
        return Objection{
            Exit::Failed,
            route + " is the last enabled route of its model: requests that can go nowhere else "
                    "are spared, so the drill would show little; --force starts it all the same"};
    }
    return std::nullopt;
}

Drill drillOf(const DrillStartVerb& verb, const store::Authorship& by)
{
    Drill drill;
    // The first part of the write's own random name.
    drill.id = "drill-" + by.requestUuid.substr(0, 8);
    drill.kind = verb.kind;
    drill.model = verb.model;
    drill.provider = verb.provider;
    drill.sharePpm = verb.sharePpm;
    drill.delayMs = verb.delayMs;
    drill.startsAt = by.at;
    drill.endsAt = by.at + verb.length;
    drill.abortFailurePpm = verb.abortFailurePpm;
    return drill;
}

std::string stopLine(const Drill& drill)
{
    return "weirctl drill stop " + drill.id + " --reason TEXT";
}

Exit waitAndReport(store::Database& store, const Drill& drill, const Options& options, const Io& io)
{
    Waiter waiter;
    waiter.watchSignals(false);
    const Result<store::StoredDrill> row = awaitDrill(store, waiter, drill.id, options.json, io);
    if (!row) return failed(io, row.error());
    if (waiter.quitAsked() && !row->drill.endedAt) {
        return failed(
            io,
            "the drill goes on until " + toIso(drill.endsAt) + ": stop it with " + stopLine(drill));
    }
    const Result<DrillReport> report = drillReport(store, *row);
    if (!report) return failed(io, report.error());
    if (options.json) {
        io.out << dumped(toJson(*report)) << '\n';
    } else {
        io.out << '\n';
        print(io, reportLines(*report, *row, io.width()));
    }
    return Exit::Done;
}

} // namespace

Exit run(const DrillStartVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto store = places.openStore();
    if (!store) return failed(io, store.error());
    const Result<Decisions> decisions = (*store)->readDecisions();
    if (!decisions) return failed(io, decisions.error());
    const reports::KnownRoutes known = knownRoutes(places, *decisions);
    if (!known.complete) {
        return badUsage(
            io, "no agent answers that knows the models: name it with --agent, or --config");
    }
    if (const auto objection = objectionTo(verb, known, *decisions)) {
        failed(io, objection->text);
        return objection->exit;
    }
    const auto agents = agentsHeardOf(**store, kApplyWithin);
    if (!agents) return failed(io, agents.error());
    if (agents->empty()) return failed(io, "no agent runs that could run the drill: start one");
    const store::Authorship by = authorship(verb.reason, io.env, net::utcNow());
    const Result<Drill> drill = (*store)->startDrill(drillOf(verb, by), by);
    if (!drill && drill.error().code == "drill_running") {
        return failed(
            io,
            drill.error().detail + ": wait, or weirctl drill stop " + drill.error().where +
                " --reason TEXT");
    }
    if (!drill) return failed(io, drill.error());
    if (options.json && !verb.wait) {
        const Json json{{"outcome", "started"}, {"drill", toJson(*drill)}};
        io.out << dumped(json) << '\n';
    } else if (!options.json) {
        io.out << "Drill " << drill->id << ": " << effectOf(*drill) << " until "
               << toIso(drill->endsAt) << ", on every agent within 5 s.\n"
               << "It ends by itself; sooner with " << stopLine(*drill) << std::endl;
    }
    return verb.wait ? waitAndReport(**store, *drill, options, io) : Exit::Done;
}

} // namespace weir::ctl
