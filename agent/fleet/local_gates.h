// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/route_state.h"
#include "common/base/result.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace weir::fleet {

/// What of a gate outlives the process.
struct SavedGate
{
    std::string model;
    std::string provider;
    std::string state;
};

/// The fleet's side of all gates, in this process: for one agent that shares with no other. Steps
/// each route's gate with what the workers counted and gives them the answer. Time comes in;
/// nothing here waits.
class LocalGates final
{
public:
    /// What a route's gate says now, for people and for the summary job.
    struct Gauge
    {
        GateView view;
        std::int64_t demandMilliRps = 0;
        /// What the route's quota comes to in calls of the usual size; -1 = not known.
        std::int64_t quotaMilliRps = -1;
        /// Since the process began.
        std::int64_t cuts = 0;
        /// R was cut and has not grown since.
        bool cut = false;
        /// Below what it was before the last cut, but growing.
        bool recovering = false;
    };

    explicit LocalGates(RouteStates& states);

    /// Before the first exchange: these routes were used before. A state that cannot be read counts
    /// as none; its route is still a known one. So are all routes of a model of which none is
    /// saved.
    void restore(const std::vector<SavedGate>& saved, Instant now);

    /// Some four times a second. Returns what happened, for the log.
    std::vector<std::pair<RouteStates::Key, routing::GateEvent>> exchange(Instant now);

    /// The routes that were ever used.
    [[nodiscard]] std::vector<SavedGate> save() const;

    [[nodiscard]] std::map<RouteStates::Key, Gauge> gauges(Instant now) const;
    /// Demand of the whole model.
    [[nodiscard]] std::int64_t demandMilliRps(const std::string& model) const;

private:
    struct Group
    {
        std::int64_t counted = 0;
        routing::DemandMeter meter;
    };

    void settleGroups(std::int64_t nowMs);

    RouteStates& m_states;
    mutable std::mutex m_mutex;
    std::map<RouteStates::Key, routing::GateState> m_gates;
    std::map<std::string, routing::AccountHold> m_accounts;
    /// Used before this process began; all others start slowly.
    std::set<RouteStates::Key> m_known;
    std::map<RouteStates::Key, Gauge> m_gauges;
    std::map<std::string, Group> m_groups;
    std::int64_t m_groupsMs = 0;
};

/// The text of a gate's lasting part: its rate, breaker, cap, and the hold of its account.
[[nodiscard]] std::string
encodeGate(const routing::GateState& state, const routing::AccountHold& account);

/// Error code "bad_gate_state".
[[nodiscard]] Status<>
decodeGate(std::string_view text, routing::GateState& state, routing::AccountHold& account);

} // namespace weir::fleet
