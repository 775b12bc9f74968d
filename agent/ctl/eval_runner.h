// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/eval_ask.h"
#include "common/quality/tally.h"

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace weir::ctl {

/// What a run found of one route.
struct EvalFinding
{
    EvalTarget target;
    quality::Tally tally;
    EvalUse use;
    /// Of the answered cases.
    std::vector<std::int64_t> tookMs;
    /// Why cases were not answered, and how often.
    std::map<std::string, int> troubles;
    /// Places in the set of the cases that scored less than all.
    std::set<std::size_t> failedCases;
};

/// Asks every route every case, several at a time, each thread with sockets of its own. The routes
/// take turns, so that none of them gets all of the load at once.
class EvalRunner final
{
public:
    explicit EvalRunner(const EvalPlan& plan);

    /// `progress(done, all)` is called between cases, on any thread but one at a time. Error codes
    /// "interrupted" and "hopeless".
    [[nodiscard]] Result<std::vector<EvalFinding>>
    run(const std::function<void(std::size_t, std::size_t)>& progress);

private:
    void work();
    void ask(Waiter& waiter, std::size_t job);
    [[nodiscard]] Result<std::int64_t> grade(
        Waiter& waiter,
        const quality::EvalCase& evalCase,
        const quality::Answer& answer,
        EvalUse& use);
    void note(
        std::size_t job,
        const EvalReply& reply,
        const quality::Judgement& judgement,
        const Result<std::int64_t>& score);

    const EvalPlan& m_plan;
    std::function<void(std::size_t, std::size_t)> m_progress;
    std::atomic<std::size_t> m_next{0};
    std::atomic<bool> m_stop{false};
    std::mutex m_mutex;
    std::vector<EvalFinding> m_findings;
    std::size_t m_done = 0;
    /// Why the run cannot go on.
    Error m_end;
};

} // namespace weir::ctl
