// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/format.h"
#include "agent/ctl/verbs.h"
#include "agent/reports/agreement.h"
#include "agent/reports/replayer.h"
#include "agent/reports/saved_decisions.h"
#include "agent/reports/settings_edit.h"
#include "common/base/text.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace weir::ctl {
namespace {

using Json = nlohmann::ordered_json;

using reports::Replayed;

Json toJson(const Replayed& replay, bool whatIf)
{
    Json json{
        {"decisions", replay.decisions},
        {"mismatches", replay.mismatches},
        {"unreadable", replay.unreadable},
        {"request_ids", replay.named}};
    if (whatIf) json["changed"] = replay.changed;
    json["first_choice"] = Json::object();
    for (const auto& [provider, counts] : replay.first) {
        json["first_choice"][provider] = {{"was", counts.was}};
        if (whatIf) json["first_choice"][provider]["would_be"] = counts.wouldBe;
    }
    return json;
}

double shareOf(std::int64_t part, std::int64_t whole)
{
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

void printText(const Io& io, const Replayed& replay, bool whatIf)
{
    io.out << formatCount(replay.decisions) << " decisions recomputed, "
           << formatCount(replay.mismatches) << " came out otherwise, "
           << formatCount(replay.unreadable) << " could not be read\n";
    for (const std::string& id : replay.named)
        io.out << "  " << cleaned(id) << '\n';
    if (!whatIf) return;
    io.out << "With other settings " << formatShare(shareOf(replay.changed, replay.decisions))
           << " would have begun elsewhere:\n";
    for (const auto& [provider, counts] : replay.first) {
        io.out << "  " << cleaned(provider) << ": "
               << formatShare(shareOf(counts.was, replay.decisions)) << " → "
               << formatShare(shareOf(counts.wouldBe, replay.decisions)) << '\n';
    }
}

/// The settings in force with the assignments made.
Result<RoutingPolicy>
editedPolicy(store::Database& database, const std::vector<std::string>& assignments)
{
    const Result<Decisions> decisions = database.readDecisions();
    if (!decisions) return tl::unexpected(decisions.error());
    const Result<reports::Edit> edit = reports::editSettings(*decisions, assignments, {});
    if (!edit) return tl::unexpected(edit.error());
    if (!edit->routes.empty()) {
        return fail("bad_usage", "--set", "takes settings of the whole, not of one route");
    }
    return policyOf(edit->settings);
}

} // namespace

Exit run(
    const DecisionsReplayVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto database = places.openStore();
    if (!database) return failed(io, database.error());
    std::optional<reports::Terms> other;
    if (!verb.assignments.empty()) {
        const Result<RoutingPolicy> edited = editedPolicy(**database, verb.assignments);
        if (!edited) {
            failed(io, edited.error());
            return edited.error().code == "bad_usage" ? Exit::Usage : Exit::Failed;
        }
        other = reports::Terms{*edited, {}};
    }
    reports::Replayer replayer(**database, other);
    const Status<> read =
        reports::eachDecided(**database, verb.since, [&replayer](const CallRecord& record) {
            return replayer.visit(record);
        });
    if (!read) return failed(io, read.error());
    if (options.json) {
        io.out << toJson(replayer.result(), other.has_value()).dump(2) << '\n';
    } else {
        printText(io, replayer.result(), other.has_value());
    }
    const bool clean = replayer.result().mismatches == 0 && replayer.result().unreadable == 0;
    return clean ? Exit::Done : Exit::Failed;
}

Exit run(
    const DecisionsAgreementVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto database = places.openStore();
    if (!database) return failed(io, database.error());
    const Result<reports::Agreement> read = reports::readAgreement(**database, verb.since);
    if (!read) return failed(io, read.error());
    const std::int64_t shadowed = read->decisions;
    if (options.json) {
        Json json{
            {"decisions", shadowed}, {"agreed", read->agreed}, {"first_choice", Json::object()}};
        json["agreement"] = read->rate() ? Json(*read->rate()) : Json(nullptr);
        for (const auto& [provider, counts] : read->first) {
            json["first_choice"][provider] = {{"fixed", counts.fixed}, {"shadow", counts.shadow}};
        }
        io.out << json.dump(2) << '\n';
        return Exit::Done;
    }
    if (shadowed == 0) {
        io.out << "No decision of shadow mode in that time.\n";
        return Exit::Done;
    }
    io.out << "Shadow mode agreed with the fixed order in " << formatShare(read->rate()) << " of "
           << formatCount(shadowed) << " decisions.\n";
    for (const auto& [provider, counts] : read->first) {
        io.out << "  " << cleaned(provider) << ": served "
               << formatShare(shareOf(counts.fixed, shadowed)) << ", shadow would have "
               << formatShare(shareOf(counts.shadow, shadowed)) << '\n';
    }
    return Exit::Done;
}

} // namespace weir::ctl
