// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/format.h"
#include "agent/ctl/table.h"
#include "agent/ctl/verbs.h"
#include "agent/reports/request_file.h"
#include "common/base/text.h"
#include "common/model/call_record_json.h"
#include "common/model/saved_decision.h"
#include "common/routing/explain.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace weir::ctl {
namespace {

using Json = nlohmann::ordered_json;

/// "b > f > c", with what shadow mode would have done in brackets.
std::string orderOf(const SavedDecision& saved, const Decision& decision)
{
    std::string order;
    for (const Candidate& candidate : decision.candidates) {
        order += (order.empty() ? "" : " > ") + saved.providers.at(candidate.route);
    }
    return order;
}

std::vector<Line> listLines(const std::vector<CallRecord>& rows, std::size_t width)
{
    Table table;
    table.columns = {
        column("STARTED", 2),
        column("REQUEST"),
        column("MODEL", 3),
        column("MODE", 4),
        column("REASON"),
        column("PROVIDER"),
        column("ORDER", 1)};
    for (const CallRecord& row : rows) {
        const Result<SavedDecision> saved = decodeSavedDecision(row.decision);
        std::string order = saved ? orderOf(*saved, saved->served.decision) : "unreadable";
        if (saved && saved->shadow) order += " (" + orderOf(*saved, saved->shadow->decision) + ')';
        table.rows.push_back(
            {{},
             {{toIso(row.startedAt), Style::Dim},
              {cleaned(row.requestId)},
              {cleaned(row.model)},
              {std::string{toWord(row.mode)}},
              {std::string{toWord(row.reason)}},
              {cleaned(row.provider), Style::Bold},
              {order}}});
    }
    return layOut(table, width);
}

Json toJson(const routing::Explanation& explanation)
{
    Json json{
        {"headline", explanation.headline},
        {"notes", explanation.notes},
        {"routes", Json::array()}};
    for (const routing::RouteAnswer& route : explanation.routes) {
        json["routes"].push_back(
            {{"provider", route.provider},
             {"place", route.place},
             {"code", route.code},
             {"sentence", route.sentence}});
    }
    return json;
}

void printText(const Io& io, const routing::Explanation& explanation)
{
    io.out << explanation.headline << '\n';
    for (const std::string& note : explanation.notes)
        io.out << "  " << note << '\n';
    for (const routing::RouteAnswer& route : explanation.routes) {
        const std::string place = route.place > 0 ? std::to_string(route.place) + '.' : "–";
        io.out << place << ' ' << cleaned(route.provider) << " [" << route.code << "] "
               << route.sentence << '\n';
    }
}

} // namespace

Exit run(const DecisionsListVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto database = places.openStore();
    if (!database) return failed(io, database.error());
    store::LedgerQuery query;
    query.filter.from = verb.since;
    query.filter.decided = true;
    query.limit = verb.limit;
    const Result<store::LedgerPage> page = (*database)->queryLedger(query);
    if (!page) return failed(io, page.error());
    if (options.json) {
        Json json{{"decisions", Json::array()}};
        for (const CallRecord& row : page->rows) {
            Json one = weir::toJson(row);
            const Result<SavedDecision> saved = decodeSavedDecision(row.decision);
            if (saved) one["order"] = orderOf(*saved, saved->served.decision);
            if (saved && saved->shadow) {
                one["shadow_order"] = orderOf(*saved, saved->shadow->decision);
            }
            json["decisions"].push_back(std::move(one));
        }
        io.out << dumped(json) << '\n';
        return Exit::Done;
    }
    if (page->rows.empty()) {
        io.out << "No decision in that time.\n";
        return Exit::Done;
    }
    print(io, listLines(page->rows, io.width()));
    return Exit::Done;
}

Exit run(const DecisionsShowVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto database = places.openStore();
    if (!database) return failed(io, database.error());
    const Result<reports::RequestFile> file = reports::requestFile(**database, verb.requestId);
    if (!file && file.error().code != "no_request") return failed(io, file.error());
    if (file && file->trouble) return failed(io, *file->trouble);
    if (!file || !file->saved) {
        return failed(
            io, "no saved decision of request " + cleaned(verb.requestId, 128) + " in the ledger");
    }
    const CallRecord& record = file->first();
    const SavedDecision& saved = *file->saved;
    const PoolSummary* const pool = file->pool ? &*file->pool : nullptr;
    const auto explained = [&](const DecisionRecord& decided) {
        return routing::explain(decided, pool, saved.providers, record.promptEstimate);
    };
    const routing::Explanation served = explained(saved.served);
    std::optional<routing::Explanation> shadow;
    if (saved.shadow) shadow = explained(*saved.shadow);
    if (options.json) {
        Json json = weir::toJson(record);
        json["explanation"] = toJson(served);
        if (shadow) json["shadow"] = toJson(*shadow);
        io.out << dumped(json) << '\n';
        return Exit::Done;
    }
    io.out << cleaned(record.requestId) << ", " << toIso(record.startedAt) << ", "
           << cleaned(record.model) << ", " << cleaned(record.taskType) << '\n';
    printText(io, served);
    if (shadow) {
        io.out << "\nAdaptive mode would have decided:\n";
        printText(io, *shadow);
    }
    return Exit::Done;
}

} // namespace weir::ctl
