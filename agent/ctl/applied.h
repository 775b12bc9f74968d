// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/wire.h"
#include "agent/store/store.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <vector>

namespace weir::ctl {

/// Whether the agents go by what was written: those heard of in the last seconds, each with what it
/// says of itself.
struct Applied
{
    std::vector<AgentPresence> agents;
    std::size_t applied = 0;
    double afterS = 0.0;

    [[nodiscard]] bool byAll() const { return applied == agents.size(); }
};

/// Every agent applies a change within 5 s (contract section 5).
inline constexpr std::chrono::seconds kApplyWithin{5};

/// Those heard of within `kApplyWithin`.
[[nodiscard]] Result<std::vector<AgentPresence>> agentsAlive(store::Store& store);

/// Asks the store until all agents have applied it, at most `kApplyWithin`.
[[nodiscard]] Result<Applied> awaitApplied(
    store::Store& store,
    Waiter& waiter,
    const std::function<bool(const AgentPresence&)>& hasApplied);

/// "Applied by 1/1 agents in 0.8 s."; "No agent runs; …"; or who is late.
[[nodiscard]] std::string
sentenceOf(const Applied& result, const std::function<bool(const AgentPresence&)>& hasApplied);

/// One sentence an agent that runs failsafe, and why.
[[nodiscard]] std::vector<std::string> failsafeSentences(const std::vector<AgentPresence>& agents);

[[nodiscard]] nlohmann::ordered_json toJson(const Applied& result);

} // namespace weir::ctl
