// SPDX-License-Identifier: Apache-2.0
#include "agent/run/budget_job.h"

#include "common/routing/minute_facts_builder.h"

#include <functional>

namespace weir::run {
namespace {

constexpr std::int64_t kMinuteMs = routing::kMinuteMs;
constexpr std::int64_t kStepMs = 10 * kMinuteMs;
constexpr std::int64_t kHourMs = 60 * kMinuteMs;
constexpr std::int64_t kDayMs = 24 * kHourMs;
constexpr std::int64_t kUsualMs = 2 * kDayMs;
constexpr std::int64_t kMonthMs = 28 * kDayMs;
constexpr std::int64_t kMinutesKeptMs = routing::kBurnWindows.back() * kMinuteMs;
/// A full sample (routing.md section 3).
constexpr std::uint64_t kAnswersMin = 30;

} // namespace

BudgetJob::BudgetJob(store::LearnedStore& store)
    : m_store(store)
{
}

Status<> BudgetJob::prepare(std::int64_t originMs, std::int64_t nowMs)
{
    if (!m_restored || nowMs - m_learnedMs >= kHourMs) {
        if (const Status<> learned = learnUsual(nowMs); !learned) return learned;
        m_learnedMs = nowMs;
    }
    if (m_restored) return {};
    m_book = {};
    if (const Status<> restored = restore(originMs); !restored) return restored;
    m_restored = true;
    return {};
}

Status<> BudgetJob::learnUsual(std::int64_t nowMs)
{
    std::map<std::tuple<std::string, std::string, std::string>, Histogram> times;
    const Status<> read = m_store.eachRouteStep(
        store::RouteStepLength::TenMinutes,
        nowMs - kUsualMs,
        nowMs,
        [&times](const store::RouteStep& step) {
            times[{step.model, step.taskType, step.provider}].merge(step.ttftUs);
        });
    if (!read) return read;
    m_usualUs.clear();
    for (const auto& [name, all] : times) {
        if (all.count() >= kAnswersMin) m_usualUs[name] = all.quantile(0.5).value_or(0);
    }
    return {};
}

/// Ten-minute steps as long as they are enough, then minutes; each gap is as long as it was.
Status<> BudgetJob::restore(std::int64_t originMs)
{
    const std::int64_t minutesFrom = (originMs - kMinutesKeptMs) / kStepMs * kStepMs;
    routing::MinuteFactsBuilder here;
    std::int64_t startMs = 0;
    const auto replay = [&](std::int64_t lengthMs, std::int64_t toMs, const auto& take) {
        for (; startMs + lengthMs <= toMs; startMs += lengthMs)
            take(here.take(startMs));
    };
    const auto older = [this](const routing::MinuteFacts& facts) { m_book.addOlder(facts.routes); };
    const auto minute = [this](const routing::MinuteFacts& facts) {
        static_cast<void>(m_book.advance(facts));
    };
    const auto add = [&](const store::RouteStep& step) {
        count(here.route(step.model, step.taskType, step.provider), step);
    };

    startMs = minutesFrom - (kMonthMs - kMinutesKeptMs);
    const Status<> steps = m_store.eachRouteStep(
        store::RouteStepLength::TenMinutes,
        startMs,
        minutesFrom,
        [&](const store::RouteStep& step) {
            replay(kStepMs, step.startedMs, older);
            add(step);
        });
    if (!steps) return steps;
    replay(kStepMs, minutesFrom, older);

    startMs = minutesFrom;
    const Status<> minutes = m_store.eachRouteStep(
        store::RouteStepLength::Minute, startMs, originMs, [&](const store::RouteStep& step) {
            replay(kMinuteMs, step.startedMs, minute);
            add(step);
        });
    if (!minutes) return minutes;
    replay(kMinuteMs, originMs + kMinuteMs - 1, minute);
    return {};
}

void BudgetJob::count(routing::RouteMinute& row, const store::RouteStep& step) const
{
    for (std::size_t i = 0; i < kOutcomeCount; ++i)
        routing::countOutcome(row, static_cast<Outcome>(i), step.outcomes[i]);
    const std::int64_t usual = usualUs(row);
    if (usual == 0) return;
    row.comparedCalls += static_cast<std::int64_t>(step.ttftUs.count());
    row.slowCalls += static_cast<std::int64_t>(step.ttftUs.countAbove(2 * usual));
}

void BudgetJob::compare(routing::RouteMinute& row, const CallFact& fact) const
{
    const std::int64_t usual = usualUs(row);
    if (usual == 0 || fact.ttftUs < 0 || !isSuccess(fact.outcome)) return;
    ++row.comparedCalls;
    if (fact.ttftUs > 2 * usual) ++row.slowCalls;
}

std::int64_t BudgetJob::usualUs(const routing::RouteMinute& row) const
{
    const auto found = m_usualUs.find({row.model, row.taskType, row.provider});
    return found == m_usualUs.end() ? 0 : found->second;
}

} // namespace weir::run
