// SPDX-License-Identifier: Apache-2.0
#include "agent/reports/task_report.h"

#include <algorithm>

namespace weir::reports {
namespace {

std::int64_t distinct(std::vector<std::uint64_t> tasks)
{
    std::sort(tasks.begin(), tasks.end());
    return std::unique(tasks.begin(), tasks.end()) - tasks.begin();
}

std::optional<double> ratio(std::int64_t part, std::int64_t whole)
{
    if (whole <= 0) return std::nullopt;
    return static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> dollars(std::int64_t microUsd, std::int64_t tasks)
{
    const std::optional<double> micro = ratio(microUsd, tasks);
    return micro ? std::optional{*micro / 1e6} : std::nullopt;
}

std::string placeOf(const store::AttemptRow& attempt)
{
    return attempt.model + '\n' + attempt.route;
}

} // namespace

std::optional<double> TaskProvider::successRate() const
{
    return ratio(successes, attempts - neutral);
}

std::optional<double> TaskReport::failoverRate() const
{
    return ratio(failovers, calls - shed);
}

std::optional<double> TaskReport::costPerTask() const
{
    return dollars(costMicroUsd, tasks);
}

std::optional<double> TaskReport::costPerTaskBefore() const
{
    return dollars(costBeforeMicroUsd, tasksBefore);
}

std::optional<double> TaskReport::costChange() const
{
    const std::optional<double> now = costPerTask();
    const std::optional<double> before = costPerTaskBefore();
    if (!now || !before || *before <= 0) return std::nullopt;
    return *now / *before - 1;
}

TaskTally::TaskTally(std::int64_t fromMs)
    : m_fromMs(fromMs)
{
}

void TaskTally::add(const store::AttemptRow& attempt)
{
    if (attempt.aside) {
        if (attempt.requestStartedMs >= m_fromMs) m_aside.add(attempt);
        return;
    }
    Type& type = m_types[attempt.taskType];
    if (attempt.requestStartedMs < m_fromMs) return addBefore(type, attempt);
    if (attempt.explored) m_explored.add(attempt);
    TaskReport& report = type.report;
    report.costMicroUsd += attempt.costMicroUsd.value_or(0);
    report.costUnknown += attempt.costMicroUsd ? 0 : 1;
    TaskProvider& provider = report.providers[attempt.provider];
    ++provider.attempts;
    provider.successes += isSuccess(attempt.outcome) ? 1 : 0;
    provider.neutral += isNeutral(attempt.outcome) ? 1 : 0;
    if (attempt.last) {
        const std::size_t index =
            m_providers.try_emplace(attempt.provider, m_providers.size()).first->second;
        type.tasks.push_back({attempt.task, index});
        end(report, attempt);
    } else if (!isSuccess(attempt.outcome) && !isNeutral(attempt.outcome)) {
        m_failedAt.try_emplace(attempt.requestId, placeOf(attempt));
    }
}

void TaskTally::add(const store::UnservedRow& unserved)
{
    if (unserved.startedMs < m_fromMs) return;
    TaskReport& report = m_types[unserved.taskType].report;
    ++report.calls;
    if (unserved.why == Unserved::Shed)
        ++report.shed;
    else
        ++report.levels[kLevelFailure];
}

std::vector<TaskReport> TaskTally::reports() const
{
    std::vector<TaskReport> all;
    for (const auto& [name, type] : m_types) {
        if (type.report.calls == 0 && type.report.costMicroUsd == 0) continue;
        TaskReport& report = all.emplace_back(type.report);
        report.taskType = name;
        countTasks(report, type.tasks);
        report.tasksBefore = distinct(type.tasksBefore);
    }
    return all;
}

void TaskTally::countTasks(TaskReport& report, std::vector<Ended> ended)
{
    std::sort(ended.begin(), ended.end());
    ended.erase(std::unique(ended.begin(), ended.end()), ended.end());
    for (std::size_t i = 0; i < ended.size(); ++i) {
        const bool isFirst = i == 0 || ended[i - 1].task != ended[i].task;
        const bool hasNext = i + 1 < ended.size() && ended[i + 1].task == ended[i].task;
        report.tasks += isFirst ? 1 : 0;
        report.mixedTasks += isFirst && hasNext ? 1 : 0;
    }
}

void TaskTally::addBefore(Type& type, const store::AttemptRow& attempt)
{
    type.report.costBeforeMicroUsd += attempt.costMicroUsd.value_or(0);
    if (attempt.last) type.tasksBefore.push_back(attempt.task);
}

void TaskTally::end(TaskReport& report, const store::AttemptRow& last)
{
    ++report.calls;
    const bool isServed = isSuccess(last.outcome) || isNeutral(last.outcome);
    const int level = isServed ? std::clamp(last.level, 0, kLevelFailure) : kLevelFailure;
    ++report.levels[static_cast<std::size_t>(level)];
    if (last.ttftMs && isSuccess(last.outcome)) {
        report.ttftUs.add((last.startedMs + *last.ttftMs - last.requestStartedMs) * 1000);
    }
    const auto failed = m_failedAt.find(last.requestId);
    if (failed == m_failedAt.end()) return;
    report.failovers += failed->second == placeOf(last) ? 0 : 1;
    m_failedAt.erase(failed);
}

Result<TaskTally> tallyTasks(store::Store& store, std::int64_t fromMs, std::int64_t toMs)
{
    TaskTally tally(fromMs);
    const Status<> attempts = store.eachAttempt(
        {2 * fromMs - toMs, toMs, {}},
        [&tally](const store::AttemptRow& attempt) { tally.add(attempt); });
    if (!attempts) return tl::unexpected(attempts.error());
    const Status<> rest = store.eachUnserved(
        {fromMs, toMs, {}}, [&tally](const store::UnservedRow& row) { tally.add(row); });
    if (!rest) return tl::unexpected(rest.error());
    return tally;
}

} // namespace weir::reports
