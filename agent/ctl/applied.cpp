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

double secondsOf(Duration time)
{
    return std::chrono::duration<double>(time).count();
}

bool isSilent(const AgentPresence& agent)
{
    return agent.lastSeenS > secondsOf(kApplyWithin);
}

/// "not heard of for 6 s: search@host (3f2a91c0…)"
std::string silenceOf(const AgentPresence& agent, std::string sentence)
{
    return sentence.append(formatAge(agent.lastSeenS)).append(": ").append(nameOf(agent));
}

} // namespace

std::chrono::seconds graceOf(const Places& places)
{
    const TimingConfig timing = places.config() ? places.config()->timing : TimingConfig{};
    return std::max(timing.settingsGrace, kApplyWithin);
}

Result<std::vector<AgentPresence>> agentsHeardOf(store::Store& store, std::chrono::seconds within)
{
    Result<std::vector<AgentPresence>> agents = store.agents();
    if (!agents) return agents;
    std::erase_if(*agents, [longest = secondsOf(within)](const AgentPresence& agent) {
        return agent.lastSeenS > longest;
    });
    return agents;
}

Result<Applied> awaitApplied(
    store::Store& store,
    std::chrono::seconds grace,
    Waiter& waiter,
    const std::function<bool(const AgentPresence&)>& hasApplied)
{
    const Instant start = net::monotonicNow();
    for (;;) {
        Result<std::vector<AgentPresence>> agents = agentsHeardOf(store, grace);
        if (!agents) return tl::unexpected{agents.error()};
        Applied result;
        result.agents = std::move(*agents);
        result.applied = static_cast<std::size_t>(
            std::count_if(result.agents.begin(), result.agents.end(), hasApplied));
        const Duration waited = net::monotonicNow() - start;
        result.afterS = secondsOf(waited);
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
    std::string silent;
    for (const AgentPresence& agent : result.agents) {
        if (hasApplied(agent)) continue;
        if (isSilent(agent))
            silent += silenceOf(agent, "; not heard of for ");
        else
            late += (late.empty() ? "; not yet by " : ", ") + nameOf(agent);
    }
    return count + "after " + formatAge(result.afterS) + late + silent + '.';
}

std::vector<std::string> silenceSentences(const std::vector<AgentPresence>& agents)
{
    std::vector<std::string> sentences;
    for (const AgentPresence& agent : agents) {
        if (isSilent(agent)) sentences.push_back(silenceOf(agent, "Not heard of for ") + '.');
    }
    return sentences;
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
