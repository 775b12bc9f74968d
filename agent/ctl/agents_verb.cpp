// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/agents_view.h"
#include "agent/ctl/applied.h"
#include "agent/ctl/format.h"
#include "agent/ctl/verbs.h"
#include "common/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace weir::ctl {

Exit run(const AgentsListVerb&, const Places& places, const Options& options, const Io& io)
{
    const auto store = places.openStore();
    if (!store) return failed(io, store.error());
    Applied fleet;
    Result<std::vector<AgentPresence>> agents = (*store)->agents();
    if (!agents) return failed(io, agents.error());
    fleet.agents = std::move(*agents);
    if (options.json) {
        io.out << dumped({{"agents", toJson(fleet)["agents"]}}) << '\n';
        return Exit::Done;
    }
    if (fleet.agents.empty()) {
        io.out << "No agent has been heard of.\n";
        return Exit::Done;
    }
    print(io, agentLines(fleet.agents, io.width()));
    const bool anySilent = std::ranges::any_of(
        fleet.agents, [](const AgentPresence& agent) { return agent.lastSeenS > kSilentS; });
    if (anySilent) {
        io.out << "One that is gone for good: weirctl agents forget ID\n";
    }
    return Exit::Done;
}

/// The start of an id does where only one begins with it.
Exit run(const AgentsForgetVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto store = places.openStore();
    if (!store) return failed(io, store.error());
    const Result<std::vector<AgentPresence>> agents = (*store)->agents();
    if (!agents) return failed(io, agents.error());
    std::vector<const AgentPresence*> found;
    for (const AgentPresence& agent : *agents) {
        if (agent.agentId.starts_with(verb.id)) found.push_back(&agent);
    }
    const std::string id = cleaned(verb.id);
    if (found.empty()) {
        return failed(io, "no agent has the id " + id + "; see weirctl agents list");
    }
    if (found.size() > 1) {
        return failed(io, "several agents' ids begin with " + id + ": write more of it");
    }
    const AgentPresence& agent = *found.front();
    if (agent.lastSeenS <= kSilentS) {
        return failed(
            io,
            "the agent " + cleaned(agent.agentId) + " was heard of " + formatAge(agent.lastSeenS) +
                " ago: stop it first, and it goes by itself");
    }
    if (const Status<> forgotten = (*store)->forgetAgent(agent.agentId); !forgotten) {
        return failed(io, forgotten.error());
    }
    if (options.json) {
        io.out << dumped({{"outcome", "forgotten"}, {"agent_id", agent.agentId}}) << '\n';
    } else {
        io.out << "The agent " << cleaned(agent.agentId) << " is forgotten.\n";
    }
    return Exit::Done;
}

} // namespace weir::ctl
