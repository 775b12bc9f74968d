// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/task_stats.h"

#include <algorithm>
#include <chrono>

namespace weir::admin {
namespace {

constexpr std::chrono::seconds kSlotLength{10};
constexpr std::int64_t kMinuteSlots = 6;
constexpr std::int64_t kHourSlots = 360;
constexpr std::int64_t kMinuteS = 60;
/// Requests between two attempts; with more of them at once, what was waited is not known of all.
constexpr std::size_t kOpenMax = 10'000;
constexpr const char* kOther = "other";

std::int64_t minuteOf(Instant started, Instant now)
{
    return std::chrono::floor<std::chrono::minutes>(now - started).count();
}

std::int64_t slotOf(Instant now)
{
    return now.time_since_epoch() / kSlotLength;
}

void add(LevelWindow& to, const LevelWindow& more)
{
    to.requests += more.requests;
    to.shed += more.shed;
    for (std::size_t level = 0; level < kLevelCount; ++level)
        to.levels[level] += more.levels[level];
}

int levelOf(const CallRecord& record)
{
    const bool isServed = isSuccess(record.outcome) || isNeutral(record.outcome);
    const bool isAttempt = record.unserved == Unserved::None;
    return isServed && isAttempt ? std::clamp(record.level, 0, kLevelFailure) : kLevelFailure;
}

} // namespace

TaskStats::TaskStats(Instant started)
    : m_started(started)
    , m_slots(kHourSlots + 1)
{
}

void TaskStats::add(const CallRecord& record, Instant now)
{
    if (record.has(CallFlag::Mirror) || record.has(CallFlag::Eval)) return;
    TaskTotals& task = totalsOf(record.taskType);
    // A counter cannot fall, so a negative figure from a broken price is left out.
    task.costMicroUsd += std::max<std::int64_t>(record.costMicroUsd.value_or(0), 0);
    if (record.unserved == Unserved::Shed) {
        ++task.shed;
        LevelWindow& slot = slotAt(now);
        ++slot.requests;
        ++slot.shed;
        return;
    }
    const auto outcome = static_cast<std::size_t>(record.outcome);
    if (record.unserved == Unserved::None) ++task.attempts[record.provider][outcome];
    if (record.unserved == Unserved::None && !record.last) return keepOpen(record);
    const int level = levelOf(record);
    ++task.levels[static_cast<std::size_t>(level)];
    if (record.unserved == Unserved::None) {
        ++task.requests[record.provider][outcome];
        countEnd(record);
    } else {
        ++task.noRoute;
    }
    countLevel(record, level, now);
}

RequestTotals TaskStats::totals(Instant now) const
{
    RequestTotals totals = m_totals;
    addMinute(totals, now);
    return totals;
}

LevelWindows TaskStats::windows(Instant now) const
{
    LevelWindows windows;
    const std::int64_t current = slotOf(now);
    for (const Slot& slot : m_slots) {
        if (slot.index < 0 || slot.index > current) continue;
        if (slot.index > current - kHourSlots) admin::add(windows.lastHour, slot.window);
        if (slot.index > current - kMinuteSlots) admin::add(windows.lastMinute, slot.window);
    }
    return windows;
}

TaskTotals& TaskStats::totalsOf(const std::string& taskType)
{
    auto& tasks = m_totals.tasks;
    const auto known = tasks.find(taskType);
    if (known != tasks.end()) return known->second;
    return tasks[tasks.size() < kTaskTypesMax ? taskType : kOther];
}

void TaskStats::keepOpen(const CallRecord& record)
{
    if (m_open.size() >= kOpenMax) m_open.clear();
    const auto [open, isFirst] = m_open.try_emplace(record.requestId);
    if (isFirst) open->second = {record.startedAt, record.model, record.route, false};
    if (!isSuccess(record.outcome) && !isNeutral(record.outcome)) open->second.hasFailed = true;
}

/// What is told by all attempts of a request together.
void TaskStats::countEnd(const CallRecord& record)
{
    const auto found = m_open.find(record.requestId);
    const bool isFirst = found == m_open.end();
    ModelTotals& model = m_totals.models[isFirst ? record.model : found->second.model];
    ++model.requests;
    const bool isElsewhere =
        !isFirst && (found->second.model != record.model || found->second.route != record.route);
    if (isElsewhere && found->second.hasFailed) ++model.failovers;
    const bool isAnswered = record.ttftMs && isSuccess(record.outcome);
    if (isAnswered && (record.attempt == 1 || !isFirst)) {
        const UtcTime begun = isFirst ? record.startedAt : found->second.startedAt;
        // The first attempt of a race may be the one that ends it.
        const std::int64_t waited = std::max<std::int64_t>((record.startedAt - begun).count(), 0);
        totalsOf(record.taskType).ttft.add(*record.ttftMs + waited, kTtftBoundsMs);
    }
    if (!isFirst) m_open.erase(found);
}

void TaskStats::countLevel(const CallRecord& record, int level, Instant now)
{
    const auto index = static_cast<std::size_t>(level);
    LevelWindow& slot = slotAt(now);
    ++slot.requests;
    ++slot.levels[index];
    if (const std::int64_t minute = minuteOf(m_started, now); minute > m_minute) {
        addMinute(m_totals, now);
        m_interactive = {};
        m_minute = minute;
    }
    if (record.priority == Priority::Interactive) ++m_interactive[index];
}

/// The minute under way, where it is over as of `now`.
void TaskStats::addMinute(RequestTotals& totals, Instant now) const
{
    const std::optional<int> mode = modeOf(m_interactive);
    if (!mode || minuteOf(m_started, now) <= m_minute) return;
    totals.levelSeconds[static_cast<std::size_t>(*mode)] += kMinuteS;
}

LevelWindow& TaskStats::slotAt(Instant now)
{
    const std::int64_t index = slotOf(now);
    Slot& slot = m_slots[static_cast<std::size_t>(index) % m_slots.size()];
    if (slot.index < index) slot = {index, {}};
    return slot.window;
}

} // namespace weir::admin
