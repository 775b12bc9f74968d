// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/applied.h"
#include "agent/ctl/drill_view.h"
#include "agent/ctl/drill_wait.h"
#include "agent/ctl/format.h"
#include "agent/ctl/known_routes.h"
#include "agent/ctl/verbs.h"
#include "agent/net/clock.h"
#include "agent/reports/drill_plan.h"
#include "agent/reports/drill_report.h"
#include "common/base/text.h"
#include "common/model/drill_json.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace weir::ctl {
namespace {

using Json = nlohmann::ordered_json;

Exit badUsage(const Io& io, const std::string& sentence)
{
    failed(io, sentence);
    return Exit::Usage;
}

reports::DrillPlan planOf(const DrillStartVerb& verb)
{
    return {
        verb.kind,
        verb.model,
        verb.provider,
        verb.sharePpm,
        verb.delayMs,
        verb.length,
        verb.abortFailurePpm};
}

/// Nothing where nothing speaks against it that the person does not insist on.
std::optional<Exit> refusal(
    const reports::DrillPlan& plan,
    bool isForced,
    const reports::KnownRoutes& known,
    const Decisions& decisions,
    const Io& io)
{
    using Kind = reports::DrillObjection::Kind;
    const auto objection = reports::objectionTo(plan, known, decisions);
    if (!objection || (objection->kind == Kind::Poor && isForced)) return std::nullopt;
    const bool isPoor = objection->kind == Kind::Poor;
    failed(io, objection->text + (isPoor ? "; --force starts it all the same" : ""));
    return objection->kind == Kind::Slip ? Exit::Usage : Exit::Failed;
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
    const Result<DrillReport> report = reports::drillReport(store, *row, net::utcNow());
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
    const reports::DrillPlan plan = planOf(verb);
    if (const auto exit = refusal(plan, verb.force, known, *decisions, io)) return *exit;
    const auto agents = agentsHeardOf(**store, kApplyWithin);
    if (!agents) return failed(io, agents.error());
    if (agents->empty()) return failed(io, "no agent runs that could run the drill: start one");
    const store::Authorship by = authorship(verb.reason, io.env, net::utcNow());
    const Result<Drill> drill = (*store)->startDrill(reports::drillOf(plan, by), by);
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
