// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/pool_views.h"

namespace weir::proxy {

const routing::PoolView& PoolViews::of(
    const std::shared_ptr<const Summary>& summary,
    const std::shared_ptr<const Runtime>& runtime,
    const ModelRuntime& model,
    std::string_view taskType)
{
    if (!summary) return m_nothing;
    if (summary != m_summary || runtime != m_runtime) {
        m_views.clear();
        m_summary = summary;
        m_runtime = runtime;
    }
    const PoolSummary* const pool = routing::findPool(*summary, model.name, taskType);
    if (pool == nullptr) return m_nothing;
    const auto [view, isNew] = m_views.try_emplace({pool, &model});
    if (isNew) view->second = routing::PoolView(*pool, model.providers);
    return view->second;
}

} // namespace weir::proxy
