// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/applied.h"
#include "agent/ctl/format.h"
#include "agent/ctl/verbs.h"
#include "agent/net/clock.h"
#include "common/base/text.h"
#include "common/model/settings_json.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace weir::ctl {
namespace {

/// "fixed, version 4, by ada@laptop 12 min ago: reason".
std::string described(const RoutingSwitch& row, UtcTime now)
{
    const double age = static_cast<double>((now - row.updatedAt).count()) / 1000.0;
    std::string by = cleaned(row.updatedBy);
    if (!row.updatedHost.empty()) by += '@' + cleaned(row.updatedHost);
    return std::string{toWord(row.mode)} + ", version " + std::to_string(row.version) + ", by " +
           by + ' ' + formatAge(age) + " ago: " + cleaned(row.reason, 1000);
}

Exit reportConflict(const store::Write<RoutingSwitch>& write, const Options& options, const Io& io)
{
    const std::string now = write.row ? "it is " + described(*write.row, net::utcNow())
                                      : std::string{"its row is gone"};
    if (options.json) {
        const auto row = write.row ? toJson(*write.row) : nlohmann::ordered_json(nullptr);
        io.out << nlohmann::ordered_json{{"outcome", "conflict"}, {"switch", row}}.dump(2) << '\n';
    }
    return failed(
        io,
        "nothing was changed, as somebody else has turned the switch: " + now +
            ": look, and try again");
}

} // namespace

Exit run(const ModeGetVerb&, const Places& places, const Options& options, const Io& io)
{
    const auto store = places.openStore();
    if (!store) return failed(io, store.error());
    const Result<Decisions> decisions = (*store)->readDecisions();
    if (!decisions) return failed(io, decisions.error());
    const RoutingSwitch& row = decisions->routingSwitch;
    Applied state;
    state.agents = agentsHeardOf(**store, graceOf(places)).value_or(std::vector<AgentPresence>{});
    const auto hasApplied = [&](const AgentPresence& agent) {
        return agent.switchVersion >= row.version;
    };
    for (const AgentPresence& agent : state.agents)
        state.applied += hasApplied(agent) ? 1U : 0U;
    if (options.json) {
        nlohmann::ordered_json json{{"switch", toJson(row)}, {"agents", toJson(state)["agents"]}};
        io.out << json.dump(2) << '\n';
        return Exit::Done;
    }
    io.out << described(row, net::utcNow()) << '\n';
    if (state.agents.empty()) {
        io.out << "No agent runs.\n";
        return Exit::Done;
    }
    io.out << state.applied << '/' << state.agents.size() << " agents go by version " << row.version
           << ".\n";
    for (const std::string& sentence : silenceSentences(state.agents))
        io.out << sentence << '\n';
    for (const std::string& sentence : failsafeSentences(state.agents))
        io.out << sentence << '\n';
    return Exit::Done;
}

Exit run(const ModeSetVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto store = places.openStore();
    if (!store) return failed(io, store.error());
    const Result<Decisions> before = (*store)->readDecisions();
    if (!before) return failed(io, before.error());
    store::SwitchChange change;
    change.mode = verb.mode;
    change.expectedVersion = verb.ifVersion.value_or(before->routingSwitch.version);
    change.by = authorship(verb.reason, io.env, net::utcNow());
    const auto write = (*store)->writeSwitch(change);
    if (!write) return failed(io, write.error());
    if (write->outcome == store::WriteOutcome::Conflict || !write->row) {
        return reportConflict(*write, options, io);
    }
    const std::int64_t version = write->row->version;
    const auto hasApplied = [version](const AgentPresence& agent) {
        return agent.switchVersion >= version;
    };
    if (!options.json) {
        io.out << "The switch is " << toWord(verb.mode) << " now, version " << version << ".\n";
        io.out.flush();
    }
    Waiter waiter;
    waiter.watchSignals(false);
    const Result<Applied> applied = awaitApplied(**store, graceOf(places), waiter, hasApplied);
    if (!applied) return failed(io, applied.error());
    if (options.json) {
        nlohmann::ordered_json json{
            {"outcome", "written"}, {"switch", toJson(*write->row)}, {"applied", toJson(*applied)}};
        io.out << json.dump(2) << '\n';
    } else if (applied->byAll()) {
        io.out << sentenceOf(*applied, hasApplied) << '\n';
        for (const std::string& sentence : failsafeSentences(applied->agents))
            io.out << sentence << '\n';
    }
    return applied->byAll() ? Exit::Done : failed(io, sentenceOf(*applied, hasApplied));
}

} // namespace weir::ctl
