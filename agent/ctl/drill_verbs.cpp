// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/drill_verbs.h"

#include "agent/ctl/drill_view.h"
#include "agent/ctl/format.h"
#include "agent/ctl/verbs.h"
#include "agent/net/clock.h"
#include "agent/reports/drill_report.h"
#include "common/base/text.h"
#include "common/model/drill_json.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace weir::ctl {
namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const store::StoredDrill& stored)
{
    Json json = toJson(stored.drill);
    json["ended_by"] = stored.endedBy.empty() ? Json(nullptr) : Json(stored.endedBy);
    json["end_text"] = stored.endText.empty() ? Json(nullptr) : Json(stored.endText);
    return json;
}

/// The drill of this id; what is wrong stands on `io.err` where there is none.
std::optional<store::StoredDrill> find(store::Database& store, const std::string& id, const Io& io)
{
    auto found = store.drill(id);
    if (!found) {
        failed(io, found.error());
        return std::nullopt;
    }
    if (!*found) {
        failed(io, "no drill has the id " + cleaned(id) + ": see weirctl drill list");
    }
    return std::move(*found);
}

} // namespace

Exit run(const DrillStopVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto store = places.openStore();
    if (!store) return failed(io, store.error());
    const auto before = find(**store, verb.id, io);
    if (!before) return Exit::Failed;
    if (before->drill.endedAt) {
        return failed(
            io,
            "the drill " + cleaned(verb.id) + " is over already (" +
                cleaned(before->drill.endReason) + " at " + toIso(*before->drill.endedAt) + ')');
    }
    const store::DrillEnd end{verb.id, "stopped", authorship(verb.reason, io.env, net::utcNow())};
    const auto row = (*store)->endDrill(end);
    if (!row) return failed(io, row.error());
    if (options.json) {
        io.out << dumped({{"outcome", "stopped"}, {"drill", jsonOf(*row)}}) << '\n';
    } else {
        io.out << "The drill " << cleaned(verb.id)
               << " is over; every agent knows within 5 s. Report: weirctl drill report "
               << cleaned(verb.id) << '\n';
    }
    return Exit::Done;
}

Exit run(const DrillListVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto store = places.openStore();
    if (!store) return failed(io, store.error());
    const auto drills = (*store)->drills(verb.limit);
    if (!drills) return failed(io, drills.error());
    if (options.json) {
        Json json{{"drills", Json::array()}};
        for (const store::StoredDrill& each : *drills)
            json["drills"].push_back(jsonOf(each));
        io.out << dumped(json) << '\n';
        return Exit::Done;
    }
    if (drills->empty()) {
        io.out << "No drill yet.\n";
        return Exit::Done;
    }
    print(io, drillLines(*drills, net::utcNow(), io.width()));
    return Exit::Done;
}

Exit run(const DrillReportVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto store = places.openStore();
    if (!store) return failed(io, store.error());
    const auto drill = find(**store, verb.id, io);
    if (!drill) return Exit::Failed;
    const Result<DrillReport> report = reports::drillReport(**store, *drill, net::utcNow());
    if (!report) return failed(io, report.error());
    if (options.json) {
        Json json = toJson(*report);
        json["drill"] = jsonOf(*drill);
        io.out << dumped(json) << '\n';
    } else {
        print(io, reportLines(*report, *drill, io.width()));
    }
    return Exit::Done;
}

} // namespace weir::ctl
