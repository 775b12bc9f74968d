// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/call_fact.h"
#include "common/routing/open_tasks.h"
#include "common/routing/route_history.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace weir::routing {

/// What the calls of the last 48 hours say, kept as integer counts by minute, pool and route; the
/// summary job asks it every five minutes (`summarise`). Fed with every attempt of the ledger in
/// the order in which rows come in, late ones too: the same rows give the same state, whether they
/// came one at a time over two days or all at once after a restart.
///
/// The grid of minutes begins at `originMs`: shifting all times by the same amount changes nothing,
/// and nothing happens at the turn of an hour.
///
/// Memory: see `RouteHistory` (per pool and route that had calls) and `OpenTasks` (7 MB at most).
class Learner final
{
public:
    explicit Learner(std::int64_t originMs);

    /// Time goes on to `nowMs`: minutes older than 48 hours are forgotten. Never goes back. To be
    /// called before the rows of that moment are added.
    void advanceTo(std::int64_t nowMs);
    /// Ends the tasks that are idle as of the last `advanceTo`; `summarise` does so.
    void endIdleTasks();
    /// Rows older than 48 hours, from a clock more than 16 minutes ahead of the last `advanceTo`,
    /// or with impossible indices are left out and counted.
    void add(const CallFact& fact);

    [[nodiscard]] std::int64_t originMs() const { return m_originMs; }

    /// The minute that ends at or after `nowMs`: what happened at `nowMs` itself belongs to the
    /// next.
    [[nodiscard]] std::int64_t minuteBefore(std::int64_t nowMs) const;

    [[nodiscard]] std::int64_t head() const { return m_head; }

    /// Nothing where the route had no call yet.
    [[nodiscard]] const RouteHistory* history(std::size_t pool, std::size_t route) const;

    /// Rows that were left out.
    [[nodiscard]] std::int64_t ignored() const { return m_ignored; }

    [[nodiscard]] std::size_t openTasks() const { return m_tasks.size(); }

private:
    [[nodiscard]] RouteHistory& historyOf(std::size_t pool, std::size_t route);
    void close(const std::vector<TaskTally>& tasks);
    void addTask(const CallFact& fact, std::int64_t minute);
    [[nodiscard]] bool firstOfTask(const CallFact& fact, std::int64_t minute) const;

    std::int64_t m_originMs;
    std::int64_t m_head = -1;
    std::vector<std::vector<std::unique_ptr<RouteHistory>>> m_pools;
    OpenTasks m_tasks;
    std::int64_t m_ignored = 0;
};

} // namespace weir::routing
