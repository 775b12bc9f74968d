// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/format.h"
#include "agent/ctl/table.h"
#include "agent/ctl/verbs.h"
#include "common/base/text.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace weir::ctl {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kExportMax = 1000;

std::string momentOf(std::int64_t ms)
{
    return toIso(fromEpochMs(ms));
}

Json toJson(const Incident& incident)
{
    Json json{
        {"id", incident.id},
        {"kind", toWord(incident.kind)},
        {"key", incident.key},
        {"model", incident.model},
        {"provider", incident.provider},
        {"task_type", incident.taskType},
        {"onset", momentOf(incident.onsetMs)},
        {"detected", momentOf(incident.detectedMs)},
        {"peak", momentOf(incident.peakMs)},
        {"end", incident.endMs ? Json(momentOf(*incident.endMs)) : Json(nullptr)},
        {"count", incident.count},
        {"parent", incident.parent},
        {"diverted_calls", incident.divertedCalls},
        {"user_failures", incident.userFailures},
        {"extra_cost_micro_usd", incident.extraCostMicroUsd},
        {"events", Json::array()}};
    for (const IncidentEvent& event : incident.events) {
        json["events"].push_back(
            {{"at", momentOf(event.atMs)}, {"kind", event.kind}, {"detail", event.detail}});
    }
    return json;
}

std::vector<Line> listLines(const std::vector<Incident>& incidents, std::size_t width)
{
    Table table;
    constexpr auto kRight = Column::Align::Right;
    table.columns = {
        column("ONSET"),
        column("END"),
        column("KIND"),
        column("KEY"),
        column("DIVERTED", 2, kRight),
        column("FAILED", 3, kRight),
        column("EXTRA COST", 4, kRight),
        column("ID", 1)};
    for (const Incident& each : incidents) {
        const bool open = !each.endMs;
        table.rows.push_back(
            {{},
             {{momentOf(each.onsetMs), Style::Dim},
              {open ? "open" : momentOf(*each.endMs), open ? Style::Bad : Style::Dim},
              {std::string{toWord(each.kind)}, Style::Bold},
              {cleaned(each.key)},
              {formatCount(each.divertedCalls)},
              {formatCount(each.userFailures)},
              {formatCost(each.extraCostMicroUsd)},
              {cleaned(each.id)}}});
    }
    return layOut(table, width);
}

std::optional<std::int64_t> ms(std::optional<UtcTime> time)
{
    if (!time) return std::nullopt;
    return epochMs(*time);
}

} // namespace

Exit run(const IncidentsListVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto database = places.openStore();
    if (!database) return failed(io, database.error());
    const auto found = (*database)->incidents({ms(verb.since), verb.openOnly, verb.limit});
    if (!found) return failed(io, found.error());
    if (options.json) {
        Json json{{"incidents", Json::array()}};
        for (const Incident& each : *found)
            json["incidents"].push_back(toJson(each));
        io.out << dumped(json) << '\n';
        return Exit::Done;
    }
    if (found->empty()) {
        io.out << "No incident in that time.\n";
        return Exit::Done;
    }
    print(io, listLines(*found, io.width()));
    return Exit::Done;
}

Exit run(const IncidentsShowVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto database = places.openStore();
    if (!database) return failed(io, database.error());
    const auto found = (*database)->incident(verb.id);
    if (!found) return failed(io, found.error());
    if (!*found) return failed(io, "no incident has the id " + cleaned(verb.id));
    const Incident& incident = **found;
    if (options.json) {
        io.out << dumped(toJson(incident)) << '\n';
        return Exit::Done;
    }
    io.out << toWord(incident.kind) << " of " << cleaned(incident.key) << '\n'
           << "  since    " << momentOf(incident.onsetMs) << ", noticed "
           << momentOf(incident.detectedMs) << ", worst " << momentOf(incident.peakMs) << '\n'
           << "  until    " << (incident.endMs ? momentOf(*incident.endMs) : "now: it is open")
           << '\n'
           << "  diverted " << formatCount(incident.divertedCalls) << " calls, "
           << formatCount(incident.userFailures) << " failed for their callers, extra cost "
           << formatCost(incident.extraCostMicroUsd) << '\n';
    if (!incident.parent.empty()) io.out << "  part of  " << cleaned(incident.parent) << '\n';
    for (const IncidentEvent& event : incident.events) {
        io.out << "  " << momentOf(event.atMs) << "  " << cleaned(event.kind) << "  "
               << cleaned(event.detail, 1000) << '\n';
    }
    return Exit::Done;
}

Exit run(const IncidentsExportVerb& verb, const Places& places, const Options&, const Io& io)
{
    const auto database = places.openStore();
    if (!database) return failed(io, database.error());
    const auto found = (*database)->incidents({ms(verb.since), false, kExportMax});
    if (!found) return failed(io, found.error());
    for (const Incident& each : *found)
        io.out << dumped(toJson(each), -1) << '\n';
    return Exit::Done;
}

} // namespace weir::ctl
