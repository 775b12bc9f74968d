// SPDX-License-Identifier: Apache-2.0
#include "common/routing/learner.h"

#include "common/base/static_vector.h"
#include "common/model/decision_input.h"
#include "common/routing/token_bound.h"

namespace weir::routing {
namespace {

constexpr std::size_t kPoolsMax = 4096;
/// From here on a call counts as warm: half of its prompt came from the cache.
constexpr std::int64_t kWarmPpm = 500'000;
/// An output token weighs four input tokens, as it does on most price lists.
constexpr std::int64_t kOutputWeight = 4;

using Slots = StaticVector<std::uint32_t, 3>;

/// Unknown counts as nothing; nonsense stays small enough to be added up.
std::int64_t known(std::int64_t value)
{
    return std::clamp<std::int64_t>(value, 0, 1'000'000'000'000);
}

/// Failures that say something about the next try: an account without credit, a wrong key or a
/// wrong name are on hold until they are mended, and then say nothing.
bool isFailedTry(Outcome outcome)
{
    switch (outcome) {
    case Outcome::NoCredit:
    case Outcome::Auth:
    case Outcome::ModelUnavailable:
        return false;
    default:
        return !isSuccess(outcome) && !isNeutral(outcome);
    }
}

/// Ended before the first output for a reason that had to do with waiting: it was at least that
/// slow (routing.md section 1).
bool isCutShort(const CallFact& fact)
{
    return fact.ttftUs < 0 &&
           (fact.outcome == Outcome::TtftTimeout || fact.outcome == Outcome::IdleTimeout ||
            fact.outcome == Outcome::Deadline || fact.outcome == Outcome::ClientCancelled);
}

/// 2k, 8k and 32k tokens: buckets of two powers of two each (routing.md section 2).
std::size_t sizeOf(std::int64_t input)
{
    if (input < 2048) return 0;
    if (input < 8192) return 1;
    return input < 32'768 ? 2 : 3;
}

std::int64_t inputOf(const CallFact& fact)
{
    return fact.inputUncached < 0
               ? -1
               : known(fact.inputUncached) + known(fact.inputCached) + known(fact.cacheWrite);
}

/// Adds the sample of the time to the first output, where there is one.
void sampleTtft(const CallFact& fact, bool firstOfTask, Sums& sums, Slots& slots)
{
    const bool cut = isCutShort(fact);
    if (!cut && fact.ttftUs < 0) return;
    const std::int64_t input = inputOf(fact);
    std::size_t cell = kUnknownCell;
    if (input > 0 && fact.inputCached >= 0) {
        const std::int64_t sharePpm = known(fact.inputCached) * kPpm / input;
        cell = sizeOf(input) + (sharePpm >= kWarmPpm ? kSizes : 0);
        sums.cachedShare(cell) += sharePpm;
    } else if (input > 0 && isSuccess(fact.outcome)) {
        // A provider that does not say what it cached: only where a task begins is that known.
        if (!firstOfTask) return;
        cell = sizeOf(input);
    }
    const std::size_t family = cut ? kCutFamily + cell : cell;
    slots.push_back(slotOf(family, cut ? fact.durationUs : fact.ttftUs));
}

Sums sumsOf(const CallFact& fact)
{
    Sums sums;
    sums[Sum::Attempts] = 1;
    sums[Sum::SingleShot] = fact.singleShot ? 1 : 0;
    sums[Sum::Successes] = isSuccess(fact.outcome) ? 1 : 0;
    sums[Sum::Neutral] = isNeutral(fact.outcome) ? 1 : 0;
    if (isFailedTry(fact.outcome)) {
        const Sum kind = fact.outcome == Outcome::RateLimited ? Sum::RateLimited
                         : fact.outcome == Outcome::Malformed ? Sum::Malformed
                                                              : Sum::Errors;
        sums[kind] = 1;
        sums[Sum::FailedTries] = 1;
        sums[Sum::FailedMicroUsd] = known(fact.costMicroUsd);
        sums[Sum::FailedUs] = known(fact.durationUs);
    }
    if (inputOf(fact) > 0) {
        sums[Sum::InputCalls] = 1;
        sums[Sum::InputUncached] = known(fact.inputUncached);
        sums[Sum::InputCached] = known(fact.inputCached);
        sums[Sum::CacheWrite] = known(fact.cacheWrite);
    }
    if (isSuccess(fact.outcome) && fact.output >= 0) {
        sums[Sum::OutputCalls] = 1;
        sums[Sum::Output] = known(fact.output);
    }
    return sums;
}

} // namespace

Learner::Learner(std::int64_t originMs)
    : m_originMs(originMs)
{
}

std::int64_t Learner::minuteBefore(std::int64_t nowMs) const
{
    const std::int64_t since = nowMs - 1 - m_originMs;
    return since >= 0 ? since / kMinuteMs : -((-since + kMinuteMs - 1) / kMinuteMs);
}

void Learner::advanceTo(std::int64_t nowMs)
{
    const std::int64_t head = minuteBefore(nowMs);
    if (head <= m_head) return;
    m_head = head;
    for (auto& pool : m_pools) {
        for (auto& route : pool) {
            if (route) route->advance(head);
        }
    }
}

void Learner::endIdleTasks()
{
    close(m_tasks.sweep(m_head));
}

void Learner::add(const CallFact& fact)
{
    const std::int64_t minute = minuteBefore(fact.endedMs + 1);
    if (minute <= m_head - kHistoryMinutes || minute > m_head + kAheadMinutes ||
        fact.pool >= kPoolsMax || fact.route >= kRoutesMax) {
        ++m_ignored;
        return;
    }
    addTask(fact, minute);
    // What was provoked is not learned, and neither is what was served elsewhere because of it.
    if (fact.drilled) return;
    Sums sums = sumsOf(fact);
    Slots slots;
    sampleTtft(fact, firstOfTask(fact, minute), sums, slots);
    if (fact.milliTps > 0) slots.push_back(slotOf(kRateFamily, fact.milliTps));
    if (const auto tokens = tokenSlot(fact)) slots.push_back(*tokens);
    const std::size_t count = slots.size();
    historyOf(fact.pool, fact.route).add(minute, sums, {count > 0 ? &slots[0] : nullptr, count});
}

bool Learner::firstOfTask(const CallFact& fact, std::int64_t minute) const
{
    return fact.task == 0 || m_tasks.firstMinute(fact.task, fact.pool) == minute;
}

void Learner::addTask(const CallFact& fact, std::int64_t minute)
{
    if (fact.task == 0) return;
    TaskTally attempt;
    attempt.task = fact.task;
    attempt.pool = fact.pool;
    attempt.route = fact.route;
    attempt.unfit = fact.singleShot || fact.spilled || fact.drilled;
    attempt.firstMinute = minute;
    attempt.lastMinute = minute;
    attempt.calls = 1;
    attempt.input = known(inputOf(fact));
    attempt.output = known(fact.output);
    close(m_tasks.makeRoom());
    if (const std::optional<TaskTally> over = m_tasks.add(attempt)) close({*over});
}

void Learner::close(const std::vector<TaskTally>& tasks)
{
    for (const TaskTally& task : tasks) {
        if (task.unfit || task.input + task.output == 0) continue;
        if (task.lastMinute <= m_head - kHistoryMinutes) continue;
        Sums sums;
        sums[Sum::Tasks] = 1;
        sums[Sum::TaskCalls] = task.calls;
        sums[Sum::TaskInput] = task.input;
        sums[Sum::TaskOutput] = task.output;
        const std::uint32_t slot = slotOf(kTaskFamily, task.input + kOutputWeight * task.output);
        historyOf(task.pool, task.route).add(task.lastMinute, sums, {&slot, 1});
    }
}

const RouteHistory* Learner::history(std::size_t pool, std::size_t route) const
{
    if (pool >= m_pools.size() || route >= m_pools[pool].size()) return nullptr;
    return m_pools[pool][route].get();
}

RouteHistory& Learner::historyOf(std::size_t pool, std::size_t route)
{
    if (pool >= m_pools.size()) m_pools.resize(pool + 1);
    if (route >= m_pools[pool].size()) m_pools[pool].resize(route + 1);
    std::unique_ptr<RouteHistory>& found = m_pools[pool][route];
    if (!found) found = std::make_unique<RouteHistory>(m_head);
    return *found;
}

} // namespace weir::routing
