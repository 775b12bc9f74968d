// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/applied.h"

#include "agent/ctl/format.h"
#include "agent/net/clock.h"
#include "common/base/text.h"
#include "common/model/status_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace weir::ctl {
namespace {

constexpr std::chrono::milliseconds kPollEvery{100};

std::string nameOf(const AgentPresence& agent)
{
    return cleaned(agent.service) + '@' + cleaned(agent.host) + " (" +
           cutEnd(cleaned(agent.agentId), 9) + ')';
}

} // namespace

Result<std::vector<AgentPresence>> agentsAlive(store::Store& store)
{
    Result<std::vector<AgentPresence>> agents = store.agents();
    if (!agents) return agents;
    const double silentS = std::chrono::duration<double>(kApplyWithin).count();
    std::erase_if(*agents, [&](const AgentPresence& agent) { return agent.lastSeenS > silentS; });
    return agents;
}

Result<Applied> awaitApplied(
    store::Store& store,
    Waiter& waiter,
    const std::function<bool(const AgentPresence&)>& hasApplied)
{
    const Instant start = net::monotonicNow();
    for (;;) {
        Result<std::vector<AgentPresence>> agents = agentsAlive(store);
        if (!agents) return tl::unexpected{agents.error()};
        Applied result;
        result.agents = std::move(*agents);
        result.applied = static_cast<std::size_t>(
            std::count_if(result.agents.begin(), result.agents.end(), hasApplied));
        const Duration waited = net::monotonicNow() - start;
        result.afterS = std::chrono::duration<double>(waited).count();
        if (result.byAll() || waited >= kApplyWithin || waiter.quitAsked()) return result;
        waiter.pause(kPollEvery);
    }
}

std::string
sentenceOf(const Applied& result, const std::function<bool(const AgentPresence&)>& hasApplied)
{
    if (result.agents.empty()) return "No agent runs; the next one that starts goes by it.";
    const std::string count = "Applied by " + std::to_string(result.applied) + '/' +
                              std::to_string(result.agents.size()) + " agents ";
    if (result.byAll()) return count + "in " + formatAge(result.afterS) + '.';
    std::string late;
    for (const AgentPresence& agent : result.agents) {
        if (!hasApplied(agent)) late += (late.empty() ? "" : ", ") + nameOf(agent);
    }
    return count + "after " + formatAge(result.afterS) + "; not yet by " + late + '.';
}

std::vector<std::string> failsafeSentences(const std::vector<AgentPresence>& agents)
{
    std::vector<std::string> sentences;
    for (const AgentPresence& agent : agents) {
        if (agent.effectiveMode != "failsafe") continue;
        sentences.push_back(
            nameOf(agent) + " runs failsafe, in the fixed order: " +
            cleaned(describeModeReason(agent.modeReason)) + '.');
    }
    return sentences;
}

nlohmann::ordered_json toJson(const Applied& result)
{
    auto agents = nlohmann::ordered_json::array();
    for (const AgentPresence& agent : result.agents)
        agents.push_back(weir::toJson(agent));
    return {
        {"applied", result.applied},
        {"of", result.agents.size()},
        {"after_s", std::round(result.afterS * 1000.0) / 1000.0},
        {"agents", std::move(agents)}};
}

} // namespace weir::ctl
