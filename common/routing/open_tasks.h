// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace weir::routing {

/// What is known of a task: all its attempts so far.
struct TaskTally
{
    std::uint64_t task = 0;
    std::uint16_t pool = 0;
    std::uint16_t route = 0;
    /// More than one route served it, or it says nothing about its route for another reason:
    /// single-shot, spilled over, or drilled.
    bool unfit = false;
    /// Minutes of its first and its last attempt, on the learner's grid.
    std::int64_t firstMinute = 0;
    std::int64_t lastMinute = 0;
    std::int64_t calls = 0;
    std::int64_t input = 0;
    std::int64_t output = 0;
};

/// Tasks that may still go on, found by their hash. Nobody says when a task is over: it is when ten
/// minutes pass without a call; a later call with the same id begins another. Times are minutes of
/// the grid, so that the order of calls inside a minute does not show. Memory: 64 bytes a task, at
/// most `kTasksMax`; when full, those longest idle are ended early.
class OpenTasks final
{
public:
    static constexpr std::size_t kTasksMax = 65'536;
    static constexpr std::int64_t kIdleMinutes = 10;
    /// Calls reach the ledger a little late: so long an ended task still takes them.
    static constexpr std::int64_t kLateMinutes = 2;

    OpenTasks();

    /// Adds one attempt. Returns the tally that came before it where the id began anew.
    [[nodiscard]] std::optional<TaskTally> add(const TaskTally& attempt);
    /// The minute in which the task began.
    [[nodiscard]] std::optional<std::int64_t>
    firstMinute(std::uint64_t task, std::uint16_t pool) const;
    /// Takes out all that are over at `minute`.
    [[nodiscard]] std::vector<TaskTally> sweep(std::int64_t minute);
    /// Takes out the longest idle half where the table is full.
    [[nodiscard]] std::vector<TaskTally> makeRoom();

    [[nodiscard]] std::size_t size() const { return m_tasks.size(); }

private:
    [[nodiscard]] std::size_t place(std::uint64_t task, std::uint16_t pool) const;
    /// Keeps what has had a call at `minute` or later.
    std::vector<TaskTally> takeIdleSince(std::int64_t minute);

    std::vector<TaskTally> m_tasks;
    /// Open addressing: index into `m_tasks` + 1; 0 = free.
    std::vector<std::uint32_t> m_places;
};

} // namespace weir::routing
