// SPDX-License-Identifier: Apache-2.0
#include "common/routing/summarise.h"

#include "common/model/summary_id.h"
#include "common/routing/plan.h"
#include "common/routing/pool_figures.h"
#include "common/routing/token_bound.h"

namespace weir::routing {
namespace {

const PoolSummary* poolOf(const Summary& summary, const PoolSetup& setup)
{
    for (const PoolSummary& pool : summary.pools) {
        if (pool.model == setup.model && pool.taskType == setup.taskType) return &pool;
    }
    return nullptr;
}

} // namespace

Summary summarise(
    const Summary& previous,
    Learner& learner,
    std::span<const PoolSetup> pools,
    const RoutingPolicy& policy,
    std::int64_t nowMs,
    const GuardingRules& rules)
{
    learner.advanceTo(nowMs);
    learner.endIdleTasks();
    Summary next;
    next.computedAtMs = nowMs;
    next.settingsVersion = policy.settingsVersion;
    next.originMs = learner.originMs();
    const SummaryScene scene{nowMs, previous.computedAtMs, rules};
    for (std::size_t i = 0; i < pools.size(); ++i) {
        const PoolSummary* before = poolOf(previous, pools[i]);
        PoolSummary pool = learnPool(before, learner, i, pools[i], scene);
        for (std::size_t route = 0; route < pool.routes.size(); ++route) {
            const RouteHistory* const history = learner.history(i, route);
            if (history != nullptr) {
                pool.routes[route].tokens = learnTokenBound(*history, learner.head());
            }
        }
        planPool(before, pool, pools[i], policy, nowMs);
        next.pools.push_back(std::move(pool));
    }
    next.id = summaryId(next);
    return next;
}

} // namespace weir::routing
