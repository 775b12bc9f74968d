// SPDX-License-Identifier: Apache-2.0
#include "common/sim/traffic.h"

#include "common/routing/philox.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace weir::sim {
namespace {

constexpr double kDayS = 86400.0;

/// base * (1 + d * sin(2 pi t / day)), contract section 8.
double rateAt(const TrafficStream& stream, double seconds)
{
    return stream.tasksPerS *
           (1.0 + stream.diurnal * std::sin(2.0 * std::numbers::pi * seconds / kDayS));
}

std::int64_t tokens(const LogNormal& distribution, std::uint32_t first, std::uint32_t second)
{
    return std::max<std::int64_t>(1, std::llround(logNormal(distribution, first, second)));
}

} // namespace

Arrivals::Arrivals(
    const Scenario& scenario, const Draws& draws, std::uint32_t stream, Window window)
    : m_scenario(scenario)
    , m_draws(draws)
    , m_stream(stream)
    , m_window(window)
    , m_seconds(static_cast<double>(window.from) / 1e6)
{
}

std::optional<TaskPlan> Arrivals::next()
{
    const TrafficStream& stream = m_scenario.traffic[m_stream];
    const double highest = stream.tasksPerS * (1.0 + stream.diurnal);
    if (highest <= 0.0 || m_window.scale <= 0.0) return std::nullopt;
    const std::uint64_t base = static_cast<std::uint64_t>(m_window.era) << 60U |
                               static_cast<std::uint64_t>(m_stream) << 48U;
    while (true) {
        const std::uint64_t id = base | m_drawn++;
        const auto arrival = m_draws.block(DrawFor::Arrival, 0, id, 0);
        m_seconds += exponential(arrival[0]) / (highest * m_window.scale);
        const double micros = std::floor(m_seconds * 1e6);
        if (micros >= static_cast<double>(m_window.until)) return std::nullopt;
        if (uniform(arrival[1]) * highest >= rateAt(stream, m_seconds)) continue;
        const auto shape = m_draws.block(DrawFor::Task, 0, id, 0);
        TaskPlan task;
        task.at = static_cast<Micros>(micros);
        task.id = id;
        task.stream = m_stream;
        task.agent = routing::pick(shape[0], m_scenario.agents);
        task.calls =
            stream.callsMin + routing::pick(shape[1], stream.callsMax - stream.callsMin + 1);
        task.singleShot = uniform(shape[2]) < stream.singleShotShare;
        return task;
    }
}

CallPlan
planCall(const Scenario& scenario, const Draws& draws, const TaskPlan& task, std::uint32_t call)
{
    const TrafficStream& stream = scenario.traffic[task.stream];
    const auto sizes = draws.block(DrawFor::Size, 0, task.id, call);
    CallPlan plan;
    plan.inputTokens = tokens(stream.inputTokens, sizes[0], sizes[1]);
    plan.outputTokens = tokens(stream.outputTokens, sizes[2], sizes[3]);
    if (stream.lengthShare > 0.0 || stream.abortShare > 0.0) {
        const auto ending = draws.block(DrawFor::Ending, 0, task.id, call);
        plan.endsByLength = uniform(ending[0]) < stream.lengthShare;
        if (uniform(ending[1]) < stream.abortShare) plan.leavesAfter = uniform(ending[2]);
    }
    return plan;
}

} // namespace weir::sim
