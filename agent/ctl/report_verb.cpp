// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/format.h"
#include "agent/ctl/task_view.h"
#include "agent/ctl/verbs.h"
#include "agent/reports/ledger_report.h"
#include "common/model/degradation_report_json.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace weir::ctl {
namespace {

using Json = nlohmann::ordered_json;

void print(const Io& io, const Json& json)
{
    io.out << dumped(json) << '\n';
}

std::string termsText(const std::optional<reports::TermsReport>& terms)
{
    if (!terms) return "terms violations: not checked; --config FILE tells the routes' terms";
    std::string text = "terms violations: " + formatCount(terms->violations);
    if (terms->unknown > 0) {
        text.append("; not known of ").append(formatCount(terms->unknown));
        text.append(" attempts on routes that the configuration does not have");
    }
    return text;
}

} // namespace

Exit run(const ReportVerb& verb, const Places& places, const Options& options, const Io& io)
{
    if (verb.from >= verb.to) {
        failed(io, "--to: must be later than the beginning, " + toIso(verb.from));
        return Exit::Usage;
    }
    const auto store = places.openStore();
    if (!store) return failed(io, store.error());
    const Config* const config = places.config() ? &*places.config() : nullptr;
    const Result<reports::LedgerReport> report = reports::ledgerReport(
        **store, {epochMs(verb.from), epochMs(verb.to), verb.taskType}, config);
    if (!report) return failed(io, report.error());
    if (options.json) {
        Json json = toJson(report->degradation);
        json["terms_violations"] = report->terms ? Json(report->terms->violations) : Json(nullptr);
        json["terms_unknown"] = report->terms ? Json(report->terms->unknown) : Json(nullptr);
        print(io, json);
        return Exit::Done;
    }
    for (const std::string& line : textOf(report->degradation))
        io.out << line << '\n';
    io.out << termsText(report->terms) << '\n';
    return Exit::Done;
}

Exit run(const TasksVerb& verb, const Places& places, const Options& options, const Io& io)
{
    if (verb.from >= verb.to) {
        failed(io, "--since: must be earlier than now");
        return Exit::Usage;
    }
    const auto store = places.openStore();
    if (!store) return failed(io, store.error());
    const Result<reports::TaskTally> tally =
        reports::tallyTasks(**store, epochMs(verb.from), epochMs(verb.to));
    if (!tally) return failed(io, tally.error());
    const std::vector<reports::TaskReport> tasks = tally->reports();
    if (!options.json) {
        print(io, taskLines(tasks, io.width()));
        return Exit::Done;
    }
    Json json{{"from", toIso(verb.from)}, {"to", toIso(verb.to)}, {"tasks", Json::array()}};
    for (const reports::TaskReport& task : tasks)
        json["tasks"].push_back(toJson(task));
    print(io, json);
    return Exit::Done;
}

} // namespace weir::ctl
