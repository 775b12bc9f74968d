// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/static_vector.h"
#include "common/model/decision_input.h"
#include "common/model/summary.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace weir::routing {

/// A pool's figures in the order of the model's routes, matched once for each summary instead of
/// for each request. Points into the summary, which must outlive it. Default = nothing is known.
class PoolView final
{
public:
    PoolView() = default;
    PoolView(const PoolSummary& pool, std::span<const std::string> providers);

    [[nodiscard]] bool known() const { return m_pool != nullptr; }

    [[nodiscard]] const PoolSummary& pool() const { return *m_pool; }

    /// Null where the summary does not know the route (yet).
    [[nodiscard]] const RouteFigures* figures(std::size_t route) const
    {
        return route < m_figures.size() ? m_figures[route] : nullptr;
    }

    [[nodiscard]] std::optional<std::size_t> leader() const { return m_leader; }

    /// Its share at this moment of the traffic that does not explore; ppm.
    [[nodiscard]] std::int64_t shareAt(std::size_t route, std::int64_t nowMs) const;

private:
    const PoolSummary* m_pool = nullptr;
    StaticVector<const RouteFigures*, kRoutesMax> m_figures;
    std::optional<std::size_t> m_leader;
};

/// The pool of this model and task type; else the model's pool `default`; null where neither is.
[[nodiscard]] const PoolSummary*
findPool(const Summary& summary, std::string_view model, std::string_view taskType);

} // namespace weir::routing
