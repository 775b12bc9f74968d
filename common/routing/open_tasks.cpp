// SPDX-License-Identifier: Apache-2.0
#include "common/routing/open_tasks.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::size_t kPlaces = 2 * OpenTasks::kTasksMax;

/// Spreads ids that are already hashes, and pools apart.
std::uint64_t mixed(std::uint64_t task, std::uint16_t pool)
{
    std::uint64_t value = task + 0x9E3779B97F4A7C15ULL * (std::uint64_t{pool} + 1);
    value ^= value >> 32U;
    value *= 0xD6E8FEB86659FD93ULL;
    return value ^ (value >> 32U);
}

} // namespace

OpenTasks::OpenTasks()
    : m_places(kPlaces)
{
}

std::size_t OpenTasks::place(std::uint64_t task, std::uint16_t pool) const
{
    std::size_t at = mixed(task, pool) % kPlaces;
    while (m_places[at] != 0) {
        const TaskTally& found = m_tasks[m_places[at] - 1];
        if (found.task == task && found.pool == pool) break;
        at = (at + 1) % kPlaces;
    }
    return at;
}

std::optional<TaskTally> OpenTasks::add(const TaskTally& attempt)
{
    const std::size_t at = place(attempt.task, attempt.pool);
    if (m_places[at] == 0) {
        m_tasks.push_back(attempt);
        m_places[at] = static_cast<std::uint32_t>(m_tasks.size());
        return std::nullopt;
    }
    TaskTally& open = m_tasks[m_places[at] - 1];
    if (attempt.firstMinute - open.lastMinute >= kIdleMinutes ||
        open.firstMinute - attempt.lastMinute >= kIdleMinutes) {
        const TaskTally before = open;
        open = attempt;
        return before;
    }
    open.unfit = open.unfit || attempt.unfit || open.route != attempt.route;
    open.firstMinute = std::min(open.firstMinute, attempt.firstMinute);
    open.lastMinute = std::max(open.lastMinute, attempt.lastMinute);
    open.calls += attempt.calls;
    open.input += attempt.input;
    open.output += attempt.output;
    return std::nullopt;
}

std::optional<std::int64_t> OpenTasks::firstMinute(std::uint64_t task, std::uint16_t pool) const
{
    const std::size_t at = place(task, pool);
    if (m_places[at] == 0) return std::nullopt;
    return m_tasks[m_places[at] - 1].firstMinute;
}

std::vector<TaskTally> OpenTasks::takeIdleSince(std::int64_t minute)
{
    const auto kept =
        std::stable_partition(m_tasks.begin(), m_tasks.end(), [minute](const TaskTally& task) {
            return task.lastMinute >= minute;
        });
    std::vector<TaskTally> taken(kept, m_tasks.end());
    if (taken.empty()) return taken;
    m_tasks.erase(kept, m_tasks.end());
    std::fill(m_places.begin(), m_places.end(), 0U);
    for (std::size_t i = 0; i < m_tasks.size(); ++i) {
        m_places[place(m_tasks[i].task, m_tasks[i].pool)] = static_cast<std::uint32_t>(i + 1);
    }
    return taken;
}

std::vector<TaskTally> OpenTasks::sweep(std::int64_t minute)
{
    return takeIdleSince(minute - kIdleMinutes - kLateMinutes + 1);
}

std::vector<TaskTally> OpenTasks::makeRoom()
{
    if (m_tasks.size() < kTasksMax) return {};
    std::vector<std::int64_t> minutes;
    minutes.reserve(m_tasks.size());
    for (const TaskTally& task : m_tasks)
        minutes.push_back(task.lastMinute);
    const auto middle = minutes.begin() + static_cast<std::ptrdiff_t>(minutes.size() / 2);
    std::nth_element(minutes.begin(), middle, minutes.end());
    return takeIdleSince(*middle + 1);
}

} // namespace weir::routing
