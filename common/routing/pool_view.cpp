// SPDX-License-Identifier: Apache-2.0
#include "common/routing/pool_view.h"

#include "common/routing/leader.h"
#include "common/routing/plan.h"

namespace weir::routing {

PoolView::PoolView(const PoolSummary& pool, std::span<const std::string> providers)
    : m_pool(&pool)
{
    m_figures.resize(providers.size());
    for (std::size_t i = 0; i < providers.size(); ++i) {
        const std::optional<std::size_t> index = indexOf(pool, providers[i]);
        if (index) m_figures[i] = &pool.routes[*index];
        if (!pool.leader.empty() && providers[i] == pool.leader) m_leader = i;
    }
}

std::int64_t PoolView::shareAt(std::size_t route, std::int64_t nowMs) const
{
    const RouteFigures* const known = figures(route);
    if (known == nullptr) return 0;
    return routing::shareAt(
        *m_pool, static_cast<std::size_t>(known - m_pool->routes.data()), nowMs);
}

const PoolSummary*
findPool(const Summary& summary, std::string_view model, std::string_view taskType)
{
    const PoolSummary* fallback = nullptr;
    for (const PoolSummary& pool : summary.pools) {
        if (pool.model != model) continue;
        if (pool.taskType == taskType) return &pool;
        if (pool.taskType == "default") fallback = &pool;
    }
    return fallback;
}

} // namespace weir::routing
