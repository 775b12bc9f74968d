// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/decision.h"
#include "common/sim/live_task.h"
#include "common/sim/world.h"

#include <vector>

namespace weir::sim {

/// Policies that need no brain. Both give an order of routes, the rest behind for failover.

/// The routes of the task's pool that may serve it.
using MayServe = StaticVector<std::uint8_t, kRoutesMax>;

/// One route after the other, by task.
[[nodiscard]] Decision chooseRoundRobin(const MayServe& mayServe, const LiveTask& task);

/// Knows the world: the best true score among the routes that would answer this very call. What
/// cost and time a task really has with each route is worked out from the scenario, prompt cache
/// included. A conversation moves only where another route is better by the margin, as its cache is
/// left behind.
class Oracle final
{
public:
    explicit Oracle(const Scenario& scenario);

    /// `model`: that of the pool.
    [[nodiscard]] Decision choose(
        const World& world,
        std::size_t model,
        const MayServe& routes,
        const LiveTask& task,
        Micros now);
    /// Routes have changed.
    void update(const World& world);

private:
    struct Truth
    {
        double cost = 0.0;
        /// Seconds for a mean answer, waiting in line aside.
        double time = 0.0;
    };

    const Scenario& m_scenario;
    /// By stream, model and route.
    std::vector<std::vector<std::vector<Truth>>> m_truths;
};

} // namespace weir::sim
