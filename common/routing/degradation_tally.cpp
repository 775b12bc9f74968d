// SPDX-License-Identifier: Apache-2.0
#include "common/routing/degradation_tally.h"

#include "common/routing/minute_grid.h"

#include <algorithm>
#include <tuple>

namespace weir::routing {
namespace {

/// The entry of this type and priority, made in its place where there is none.
LadderTask& taskAt(std::vector<LadderTask>& tasks, std::string_view type, bool batch)
{
    const auto place =
        std::ranges::lower_bound(tasks, std::tuple(type, batch), {}, [](const LadderTask& task) {
            return std::tuple(std::string_view{task.taskType}, task.batch);
        });
    if (place != tasks.end() && place->taskType == type && place->batch == batch) return *place;
    LadderTask task;
    task.taskType = type;
    task.batch = batch;
    return *tasks.insert(place, std::move(task));
}

FirstOutput timesOf(const Histogram& times)
{
    const auto ms = [&times](double q) {
        const std::optional<std::int64_t> us = times.quantile(q);
        return us ? std::optional{*us / 1000} : std::nullopt;
    };
    return {ms(0.5), ms(0.95)};
}

} // namespace

std::optional<int> LadderMinute::mode() const
{
    LevelCounts interactive{};
    for (const LadderTask& task : tasks) {
        for (std::size_t level = 0; level < kLevelCount && !task.batch; ++level)
            interactive[level] += task.levels[level];
    }
    return modeOf(interactive);
}

DegradationTally::DegradationTally(std::int64_t fromMs, std::int64_t toMs)
    : m_fromMs(fromMs)
    , m_toMs(toMs)
{
}

void DegradationTally::count(const LadderFact& fact)
{
    if (fact.startedMs < m_fromMs || fact.startedMs >= m_toMs) return;
    const std::int64_t minute = (fact.startedMs - m_fromMs) / kMinuteMs;
    LadderTask& task = taskAt(m_minutes[minute], fact.taskType, fact.batch);
    ++task.requests;
    if (fact.end == RequestEnd::Shed) {
        ++task.shed;
        return;
    }
    const int level = fact.end == RequestEnd::Failed ? kLevelFailure : fact.level;
    const auto index = static_cast<std::size_t>(std::clamp(level, 0, kLevelFailure));
    ++task.levels[index];
    const bool isAnswered = fact.ttftMs && fact.end == RequestEnd::Served;
    if (isAnswered) m_firstOutput[index].add(*fact.ttftMs * 1000);
}

DegradationReport DegradationTally::report() const
{
    DegradationReport report;
    report.fromMs = m_fromMs;
    report.toMs = m_toMs;
    report.residencyViolations = m_residencyViolations;
    for (const LadderMinute& minute : minutes()) {
        if (const std::optional<int> mode = minute.mode()) {
            const std::int64_t left = (m_toMs - minute.startMs) / 1000;
            report.levels[static_cast<std::size_t>(*mode)].seconds +=
                std::min<std::int64_t>(left, kMinuteMs / 1000);
        }
        for (const LadderTask& part : minute.tasks) {
            LadderTask& task = taskAt(report.tasks, part.taskType, part.batch);
            task.requests += part.requests;
            task.shed += part.shed;
            for (std::size_t level = 0; level < kLevelCount; ++level)
                task.levels[level] += part.levels[level];
        }
    }
    for (const LadderTask& task : report.tasks) {
        report.requests += task.requests;
        report.shed += task.shed;
        for (std::size_t level = 0; level < kLevelCount; ++level)
            report.levels[level].requests += task.levels[level];
    }
    Histogram all;
    for (std::size_t level = 0; level < kLevelCount; ++level) {
        report.levels[level].firstOutput = timesOf(m_firstOutput[level]);
        all.merge(m_firstOutput[level]);
    }
    report.firstOutput = timesOf(all);
    return report;
}

std::vector<LadderMinute> DegradationTally::minutes() const
{
    std::vector<LadderMinute> minutes;
    for (const auto& [minute, tasks] : m_minutes)
        minutes.push_back({m_fromMs + minute * kMinuteMs, tasks});
    return minutes;
}

} // namespace weir::routing
