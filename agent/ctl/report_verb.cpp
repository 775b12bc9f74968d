// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/ledger_report.h"
#include "agent/ctl/verbs.h"
#include "common/model/degradation_report_json.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace weir::ctl {

Exit run(const ReportVerb& verb, const Places& places, const Options& options, const Io& io)
{
    if (verb.from >= verb.to) {
        failed(io, "--to: must be later than the beginning, " + toIso(verb.from));
        return Exit::Usage;
    }
    const auto store = places.openStore();
    if (!store) return failed(io, store.error());
    const Result<DegradationReport> report =
        degradationReport(**store, {epochMs(verb.from), epochMs(verb.to), verb.taskType});
    if (!report) return failed(io, report.error());
    if (options.json) {
        using Json = nlohmann::ordered_json;
        io.out << toJson(*report).dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
        return Exit::Done;
    }
    for (const std::string& line : textOf(*report))
        io.out << line << '\n';
    return Exit::Done;
}

} // namespace weir::ctl
