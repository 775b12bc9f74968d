// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/proxy/runtime.h"
#include "common/model/summary.h"
#include "common/routing/pool_view.h"

#include <map>
#include <memory>
#include <string_view>
#include <utility>

namespace weir::proxy {

/// The pools of the newest summary, matched with the routes of the configuration: once for each
/// summary and configuration, on one worker.
class PoolViews final
{
public:
    /// What is known of this model and task type; a view that knows nothing where nothing is. Good
    /// until the next call.
    [[nodiscard]] const routing::PoolView&
    of(const std::shared_ptr<const Summary>& summary,
       const std::shared_ptr<const Runtime>& runtime,
       const ModelRuntime& model,
       std::string_view taskType);

private:
    std::shared_ptr<const Summary> m_summary;
    std::shared_ptr<const Runtime> m_runtime;
    std::map<std::pair<const PoolSummary*, const ModelRuntime*>, routing::PoolView> m_views;
    routing::PoolView m_nothing;
};

} // namespace weir::proxy
