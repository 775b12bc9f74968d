// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/gate_clock.h"
#include "agent/fleet/route_state.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace weir::fleet {

/// The route's number, the same on every agent.
[[nodiscard]] std::uint64_t routeKey(const std::string& model, const std::string& provider);

/// All states by (model, provider), and how much is asked of each model.
class RouteStates final
{
public:
    using Key = std::pair<std::string, std::string>;

    /// `utc` only sets the clock; `params` are those of every route, without its key. `agent`: this
    /// one's number in the fleet.
    RouteStates(
        const routing::GateParams& params, Instant now, UtcTime utc, std::uint32_t agent = 1);

    /// Where `address`, if any is given, is another one than before, somebody else bears the
    /// provider's name now: the gate goes on, but the state has another id.
    [[nodiscard]] std::shared_ptr<RouteState>
    of(const std::string& model,
       const std::string& provider,
       Instant now,
       const std::string& address = {});

    /// By `RouteState::id`, a number for the route at its present address, the same on every agent
    /// that calls the same place by the same names.
    [[nodiscard]] std::map<std::uint16_t, std::uint64_t> pinKeys() const;

    /// Requests of the model so far; counted by the proxy.
    [[nodiscard]] std::shared_ptr<std::atomic<std::int64_t>> requestsOf(const std::string& model);

    [[nodiscard]] std::map<Key, std::shared_ptr<RouteState>> all() const;
    [[nodiscard]] std::map<std::string, std::int64_t> requests() const;

    [[nodiscard]] const GateClock& clock() const { return m_clock; }

private:
    routing::GateParams m_params;
    GateClock m_clock;
    std::uint32_t m_agent;
    mutable std::mutex m_mutex;
    std::map<Key, std::shared_ptr<RouteState>> m_states;
    std::map<Key, std::string> m_addresses;
    std::uint16_t m_lastId = 0;
    std::map<std::string, std::shared_ptr<std::atomic<std::int64_t>>> m_requests;
};

} // namespace weir::fleet
