// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/agent_gate.h"
#include "common/routing/minute_facts.h"
#include "common/routing/pool_setup.h"
#include "common/routing/route_gate.h"
#include "common/sim/result.h"
#include "common/sim/scenario.h"

#include <cstdint>
#include <vector>

namespace weir::sim {

/// What the route's configuration would say.
[[nodiscard]] Quota quotaOf(const RouteShape& shape);

/// What agents share: one gate a route, one hold a provider. Stands for Redis, so it can be down,
/// or come back without memory.
class SharedGates final
{
public:
    explicit SharedGates(const Scenario& scenario);

    [[nodiscard]] routing::GateParams paramsOf(RouteRef route) const;

    /// Another contract with the provider.
    void setQuota(RouteRef route, const Quota& quota) { at(route).quota = quota; }

    void set(RedisChange change);

    [[nodiscard]] bool isUp() const { return m_isUp; }

    [[nodiscard]] routing::GateReply
    exchange(RouteRef route, const routing::GateReport& report, std::int64_t nowMs);
    /// Those that an agent saw on its own.
    void note(RouteRef route, const std::vector<routing::GateEvent>& events);

    /// The route has been sent an attempt: it will never be new again, whatever Redis forgets.
    void used(RouteRef route) { at(route).everUsed = true; }

    void probeStarted(RouteRef route);

    void probeEnded(RouteRef route) { --at(route).probes; }

    [[nodiscard]] bool everUsed(RouteRef route) const { return at(route).everUsed; }

    /// The fleet's min(R, L), and the state beside it.
    void describe(RouteRef route, RouteMoment& moment) const;
    /// What the summary job takes from the gate.
    void describe(RouteRef route, routing::RouteSetup& setup, std::int64_t nowMs) const;
    [[nodiscard]] std::int64_t demandMilliRps(std::size_t model) const;

    /// Gates and accounts of the minute that ends; the next one begins.
    void takeMinute(const Scenario& scenario, std::int64_t endMs, routing::MinuteFacts& facts);

    /// What went before is not counted.
    void countAnew();

    [[nodiscard]] const std::vector<std::vector<GateCounts>>& counts() const { return m_counts; }

private:
    struct Shared
    {
        routing::GateState state;
        routing::GateReply reply;
        bool everUsed = false;
        /// In flight, as the agents know it.
        std::uint64_t probes = 0;
        std::size_t account = 0;
        std::uint64_t key = 0;
        Quota quota;
        /// Of this minute; the breaker's since its opening.
        std::int64_t halvingCuts = 0;
        std::int64_t easingCuts = 0;
        std::int64_t openForMs = 0;
        std::int64_t openSinceMs = routing::kNeverMs;
        bool creditHold = false;
        bool authHold = false;
    };

    static void observe(Shared& shared, std::int64_t nowMs);

    [[nodiscard]] Shared& at(RouteRef route) { return m_gates[route.model][route.route]; }

    [[nodiscard]] const Shared& at(RouteRef route) const
    {
        return m_gates[route.model][route.route];
    }

    std::uint64_t m_seed;
    GuardingRules m_rules;
    bool m_isUp = true;
    std::vector<std::vector<Shared>> m_gates;
    std::vector<routing::AccountHold> m_accounts;
    std::vector<std::vector<GateCounts>> m_counts;
};

} // namespace weir::sim
