// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/pool_view.h"
#include "common/routing/summarise.h"
#include "common/sim/recorder.h"
#include "common/sim/shared_gates.h"
#include "common/sim/world.h"

#include <memory>
#include <string>
#include <vector>

namespace weir::sim {

/// A summary with all that is looked up in it for each request.
struct Published
{
    Summary summary;
    /// By pool.
    std::vector<routing::PoolView> views;
    /// By pool: the fastest trusted route's time for a mean answer; 0 = nobody is trusted.
    std::vector<std::int64_t> fastestUs;
};

/// The job that learns from the ledger and publishes a summary every five minutes.
class SummaryJob final
{
public:
    SummaryJob(const Scenario& scenario, const std::vector<PoolName>& pools, std::int64_t originMs);

    void add(const CallFact& fact) { m_learner.add(fact); }

    void set(bool runs) { m_runs = runs; }

    [[nodiscard]] bool runs() const { return m_runs; }

    /// `gateMs`: the same moment on the clock of the gates.
    void run(const World& world, const SharedGates& gates, Micros now, std::int64_t gateMs);

    /// The newest; null before the first.
    [[nodiscard]] std::shared_ptr<const Published> latest() const { return m_latest; }

private:
    const Scenario& m_scenario;
    const std::vector<PoolName>& m_pools;
    RoutingPolicy m_policy;
    routing::Learner m_learner;
    std::vector<std::vector<std::string>> m_providers;
    std::shared_ptr<const Published> m_latest;
    bool m_runs = true;
};

/// The route as settings and configuration have it; its gate aside.
[[nodiscard]] routing::RouteSetup
setupOf(const ScenarioModel& model, std::size_t route, bool isKnown);

/// Epoch milliseconds, rounded down.
[[nodiscard]] std::int64_t epochMsOf(const Scenario& scenario, Micros at);

} // namespace weir::sim
