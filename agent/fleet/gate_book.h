// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/gate_codec.h"
#include "agent/fleet/gates.h"
#include "agent/fleet/model_demand.h"

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace weir::fleet {

/// What one agent of a fleet knows of the gates that it shares: what was saved of them, what the
/// fleet last said, what this agent stepped. Any thread.
class GateBook final
{
public:
    explicit GateBook(RouteStates& states);

    struct Kept
    {
        routing::GateState state;
        routing::AccountHold account;
    };

    void restore(const std::vector<SavedGate>& saved, Instant now);

    /// Served before, as far as this agent knows; others start slowly.
    [[nodiscard]] bool isKnown(const RouteStates::Key& key) const;

    /// As it was saved before this process began.
    [[nodiscard]] std::optional<Kept> saved(const RouteStates::Key& key) const;
    /// The newest hold that was saved.
    [[nodiscard]] std::optional<routing::AccountHold>
    savedAccount(const std::string& provider) const;

    /// This agent's own demand; returns it by model.
    [[nodiscard]] std::map<std::string, std::int64_t> settleDemand(Instant now);

    void heard(const RouteStates::Key& key, const RouteReply& reply, Instant now);
    /// This agent's gate has decided by itself.
    void decided(const RouteStates::Key& key, const routing::GateEvent& event);
    /// This agent has stepped it.
    void stepped(const RouteStates::Key& key, Kept kept);

    /// What was stepped since it was last asked.
    [[nodiscard]] std::vector<SavedGate> save();
    [[nodiscard]] std::map<RouteStates::Key, GateGauge> gauges(Instant now) const;
    /// The fleet's demand, while it was heard of lately; else this agent's.
    [[nodiscard]] std::int64_t demandMilliRps(const std::string& model) const;

private:
    struct Known
    {
        GateGauge gauge;
        /// As the fleet counts.
        std::int64_t cuts = 0;
        bool heard = false;
    };

    struct Fleetwide
    {
        std::int64_t milliRps = 0;
        Instant at{};
    };

    RouteStates& m_states;
    mutable std::mutex m_mutex;
    ModelDemand m_demand;
    Instant m_settledAt{};
    std::map<std::string, Fleetwide> m_fleetDemand;
    std::set<RouteStates::Key> m_known;
    std::map<RouteStates::Key, Kept> m_saved;
    std::map<RouteStates::Key, Known> m_gates;
    std::map<RouteStates::Key, Kept> m_stepped;
};

} // namespace weir::fleet
