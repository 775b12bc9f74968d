// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/format.h"
#include "agent/ctl/mirror_view.h"
#include "agent/ctl/verbs.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace weir::ctl {

Exit run(const MirrorReportVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto database = places.openStore();
    if (!database) return failed(io, database.error());
    store::MirrorQuery query;
    if (verb.since) query.sinceMs = epochMs(*verb.since);
    query.taskType = verb.taskType;
    const auto found = (*database)->comparisons(query);
    if (!found) return failed(io, found.error());
    const auto reports = quality::mirrorReports(*found, {});
    if (options.json) {
        io.out << dumped(mirrorJson(reports)) << '\n';
        return Exit::Done;
    }
    if (reports.empty()) {
        io.out << "No copy was compared in that time.\n";
        return Exit::Done;
    }
    print(io, mirrorLines(reports));
    return Exit::Done;
}

} // namespace weir::ctl
