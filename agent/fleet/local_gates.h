// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/gates.h"
#include "agent/fleet/model_demand.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace weir::fleet {

/// The fleet's side of all gates, in this process: for one agent that shares with no other. Steps
/// each route's gate with what the workers counted and gives them the answer. Time comes in;
/// nothing here waits.
class LocalGates final : public Gates
{
public:
    explicit LocalGates(RouteStates& states);

    void restore(const std::vector<SavedGate>& saved, Instant now) override;

    /// Some four times a second. Returns what happened, for the log.
    std::vector<std::pair<RouteStates::Key, routing::GateEvent>> exchange(Instant now);

    [[nodiscard]] std::vector<SavedGate> save() override;
    [[nodiscard]] std::map<RouteStates::Key, GateGauge> gauges(Instant now) const override;
    [[nodiscard]] std::int64_t demandMilliRps(const std::string& model) const override;

private:
    RouteStates& m_states;
    mutable std::mutex m_mutex;
    std::map<RouteStates::Key, routing::GateState> m_gates;
    std::map<std::string, routing::AccountHold> m_accounts;
    /// Used before this process began; all others start slowly.
    std::set<RouteStates::Key> m_known;
    std::map<RouteStates::Key, GateGauge> m_gauges;
    ModelDemand m_demand;
};

} // namespace weir::fleet
