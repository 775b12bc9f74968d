// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/reports/task_aside.h"
#include "agent/store/request_rows.h"
#include "agent/store/store.h"
#include "common/base/histogram.h"
#include "common/base/result.h"
#include "common/model/degradation_report.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace weir::reports {

/// Attempts at one provider. What is neither its success nor its failure is in no rate.
struct TaskProvider
{
    std::int64_t attempts = 0;
    std::int64_t successes = 0;
    std::int64_t neutral = 0;

    /// 0 to 1; nothing where no attempt tells.
    [[nodiscard]] std::optional<double> successRate() const;
};

/// What one task type did in a time, and what its tasks cost in the time before, which is as long.
struct TaskReport
{
    std::string taskType;
    std::int64_t tasks = 0;
    /// Of these, tasks whose requests ended at more than one provider.
    std::int64_t mixedTasks = 0;
    /// Requests; those shed are among them.
    std::int64_t calls = 0;
    std::int64_t shed = 0;
    /// Requests that failed somewhere and ended on another route.
    std::int64_t failovers = 0;
    std::map<std::string, TaskProvider> providers;
    LevelCounts levels{};
    std::int64_t costMicroUsd = 0;
    /// Attempts whose cost is not known.
    std::int64_t costUnknown = 0;
    std::int64_t tasksBefore = 0;
    std::int64_t costBeforeMicroUsd = 0;
    /// Microseconds from a request's first attempt to its first output, over all attempts.
    Histogram ttftUs;

    [[nodiscard]] std::optional<double> failoverRate() const;
    /// Dollars; nothing without a task.
    [[nodiscard]] std::optional<double> costPerTask() const;
    [[nodiscard]] std::optional<double> costPerTaskBefore() const;
    /// Of costs per task: 0.25 = a quarter more. Nothing where there is nothing to compare with.
    [[nodiscard]] std::optional<double> costChange() const;
};

/// Makes the reports of [from, to) out of the rows of twice the time, from 2 · from - to on, in the
/// order of their starts.
class TaskTally final
{
public:
    explicit TaskTally(std::int64_t fromMs);

    void add(const store::AttemptRow& attempt);
    void add(const store::UnservedRow& unserved);

    /// By task type; those that had neither a request nor a cost in the time are left out.
    [[nodiscard]] std::vector<TaskReport> reports() const;

    /// Copies for comparison and eval runs: in no report.
    [[nodiscard]] const TaskAside& aside() const { return m_aside; }

    /// Of those in the reports: sent elsewhere to keep a route's figures fresh.
    [[nodiscard]] const TaskAside& explored() const { return m_explored; }

private:
    struct Ended
    {
        std::uint64_t task = 0;
        /// Index of the provider, in the order of their first appearance.
        std::size_t provider = 0;

        auto operator<=>(const Ended&) const = default;
    };

    struct Type
    {
        TaskReport report;
        /// As they come, with repetitions.
        std::vector<Ended> tasks;
        std::vector<std::uint64_t> tasksBefore;
    };

    static void countTasks(TaskReport& report, std::vector<Ended> ended);
    void addBefore(Type& type, const store::AttemptRow& attempt);
    void end(TaskReport& report, const store::AttemptRow& last);

    std::int64_t m_fromMs;
    std::map<std::string, Type> m_types;
    /// Where a request failed first, until it ends.
    std::unordered_map<std::string, std::string> m_failedAt;
    std::map<std::string, std::size_t> m_providers;
    TaskAside m_aside;
    TaskAside m_explored;
};

/// Reads what a tally of [from, to) needs.
[[nodiscard]] Result<TaskTally>
tallyTasks(store::Store& store, std::int64_t fromMs, std::int64_t toMs);

} // namespace weir::reports
