// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/places.h"
#include "agent/ctl/wire.h"
#include "agent/store/store.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <vector>

namespace weir::ctl {

/// Whether the agents go by what was written: those that count, each with what it said of itself
/// last.
struct Applied
{
    std::vector<AgentPresence> agents;
    std::size_t applied = 0;
    double afterS = 0.0;

    [[nodiscard]] bool byAll() const { return applied == agents.size(); }
};

/// Every agent applies a change within 5 s (contract section 5).
inline constexpr std::chrono::seconds kApplyWithin{5};

/// For so long an agent that is not heard of may still go by what it read before: the settings'
/// grace, by the configuration where one is named. Afterwards it goes by the fixed order.
[[nodiscard]] std::chrono::seconds graceOf(const Places& places);

/// Those heard of within that time.
[[nodiscard]] Result<std::vector<AgentPresence>>
agentsHeardOf(store::Store& store, std::chrono::seconds within);

/// Asks the store until all agents within their grace have applied it, at most `kApplyWithin`.
[[nodiscard]] Result<Applied> awaitApplied(
    store::Store& store,
    std::chrono::seconds grace,
    Waiter& waiter,
    const std::function<bool(const AgentPresence&)>& hasApplied);

/// "Applied by 1/1 agents in 0.8 s."; "No agent runs; …"; or who is late, and who is silent.
[[nodiscard]] std::string
sentenceOf(const Applied& result, const std::function<bool(const AgentPresence&)>& hasApplied);

/// One sentence an agent that is not heard of, and since when.
[[nodiscard]] std::vector<std::string> silenceSentences(const std::vector<AgentPresence>& agents);

/// One sentence an agent that runs failsafe, and why.
[[nodiscard]] std::vector<std::string> failsafeSentences(const std::vector<AgentPresence>& agents);

[[nodiscard]] nlohmann::ordered_json toJson(const Applied& result);

} // namespace weir::ctl
