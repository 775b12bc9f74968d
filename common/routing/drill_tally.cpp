// SPDX-License-Identifier: Apache-2.0
#include "common/routing/drill_tally.h"

#include "common/routing/degradation_tally.h"

#include <algorithm>
#include <span>

namespace weir::routing {
namespace {

/// Traffic is looked at in steps of this part of a drill, within these bounds.
constexpr std::int64_t kSteps = 30;
constexpr std::int64_t kStepMinMs = 1000;
constexpr std::int64_t kStepMaxMs = 10'000;
/// With fewer requests than this beforehand nobody knows what was usual.
constexpr std::uint64_t kUsualMin = 5;

/// How many of some requests began on the drilled route.
struct Share
{
    std::uint64_t all = 0;
    std::uint64_t onRoute = 0;

    /// At most one of ten that did before.
    [[nodiscard]] bool hasLeft(const Share& usual) const
    {
        return all > 0 && 10 * onRoute * usual.all <= usual.onRoute * all;
    }

    /// At least half as large a share as before.
    [[nodiscard]] bool isBack(const Share& usual) const
    {
        return onRoute > 0 && 2 * onRoute * usual.all >= usual.onRoute * all;
    }
};

template <class Beginning>
Share shareOf(const std::vector<Beginning>& begun, std::int64_t fromMs, std::int64_t toMs)
{
    Share share;
    for (const Beginning& each : begun) {
        if (each.ms < fromMs || each.ms >= toMs) continue;
        ++share.all;
        share.onRoute += each.onRoute ? 1 : 0;
    }
    return share;
}

bool isFailure(Outcome outcome)
{
    return !isSuccess(outcome) && !isNeutral(outcome);
}

} // namespace

DrillTally::DrillTally(Drill drill, std::int64_t nowMs)
    : m_drill(std::move(drill))
    , m_startMs(epochMs(m_drill.startsAt))
    , m_endMs(
          m_drill.endedAt ? epochMs(*m_drill.endedAt) : std::min(epochMs(m_drill.endsAt), nowMs))
    , m_lengthMs(std::max<std::int64_t>(m_endMs - m_startMs, 1))
    , m_toMs(std::clamp(nowMs, m_endMs, m_endMs + m_lengthMs))
{
}

void DrillTally::add(const CallRecord& record)
{
    // Nobody waits for these.
    if (record.has(CallFlag::Mirror) || record.has(CallFlag::Eval)) return;
    Request& request = m_requests[record.requestId];
    request.isOfModel = request.isOfModel || record.model == m_drill.model;
    request.batch = record.priority == Priority::Batch;
    request.taskType = record.taskType;
    Attempt attempt;
    attempt.number = record.attempt;
    // The same provider may serve another model of the ladder.
    attempt.provider =
        record.model == m_drill.model ? record.provider : record.model + '/' + record.provider;
    attempt.startedMs = epochMs(record.startedAt);
    attempt.ttftMs = record.ttftMs;
    attempt.outcome = record.outcome;
    attempt.costMicroUsd = record.costMicroUsd;
    attempt.level = record.level;
    const auto place = std::ranges::upper_bound(
        request.attempts, attempt.number, {}, [](const Attempt& each) { return each.number; });
    request.attempts.insert(place, std::move(attempt));
}

/// Of the model, and not begun before the rows do.
bool DrillTally::isWhole(const Request& request)
{
    return request.isOfModel && request.attempts.front().number == 1;
}

DrillWindow DrillTally::window(std::int64_t fromMs, std::int64_t toMs) const
{
    DrillWindow window;
    DegradationTally ladder(fromMs, toMs);
    for (const auto& [id, request] : m_requests) {
        const Attempt& first = request.attempts.front();
        const Attempt& last = request.attempts.back();
        if (!isWhole(request) || first.startedMs < fromMs || first.startedMs >= toMs) continue;
        LadderFact fact;
        fact.startedMs = first.startedMs;
        fact.taskType = request.taskType;
        fact.batch = request.batch;
        fact.end = isFailure(last.outcome) ? RequestEnd::Failed : RequestEnd::Served;
        fact.level = last.level;
        if (last.ttftMs) fact.ttftMs = last.startedMs + *last.ttftMs - first.startedMs;
        ladder.count(fact);
        ++window.providers[last.provider];
        const bool moved = std::ranges::any_of(request.attempts, [&first](const Attempt& each) {
            return each.provider != first.provider;
        });
        window.failovers += moved ? 1 : 0;
        if (!last.costMicroUsd) continue;
        ++window.costKnown;
        for (const Attempt& each : request.attempts)
            window.costMicroUsd += each.costMicroUsd.value_or(0);
    }
    window.ladder = ladder.report();
    return window;
}

std::vector<DrillTally::Beginning> DrillTally::beginnings() const
{
    std::vector<Beginning> all;
    for (const auto& [id, request] : m_requests) {
        if (!isWhole(request)) continue;
        const Attempt& first = request.attempts.front();
        all.push_back({first.startedMs, first.provider == m_drill.provider});
    }
    std::ranges::sort(all, {}, [](const Beginning& each) { return each.ms; });
    return all;
}

DrillReport DrillTally::report(const DrillCounts& counts) const
{
    DrillReport report;
    report.drill = m_drill;
    report.counts = counts;
    report.before = window(m_startMs - m_lengthMs, m_startMs);
    report.during = window(m_startMs, m_endMs);
    report.after = window(m_endMs, m_toMs);
    const std::vector<Beginning> begun = beginnings();
    const Share usual = shareOf(begun, m_startMs - m_lengthMs, m_startMs);
    if (usual.all < kUsualMin || usual.onRoute == 0) return report;
    const std::int64_t step = std::clamp(m_lengthMs / kSteps, kStepMinMs, kStepMaxMs);
    for (std::int64_t at = m_startMs; at < m_endMs && !report.leftMs; at += step) {
        if (!shareOf(begun, at, std::min(at + step, m_endMs)).hasLeft(usual)) continue;
        // It was the last one there that left.
        report.leftMs = 0;
        for (const Beginning& each : begun) {
            const bool isOurs = each.onRoute && each.ms >= m_startMs && each.ms < at;
            if (isOurs) report.leftMs = each.ms - m_startMs;
        }
    }
    for (std::int64_t at = m_endMs; at < m_toMs && !report.backMs; at += step) {
        if (!shareOf(begun, at, std::min(at + step, m_toMs)).isBack(usual)) continue;
        const auto first = std::ranges::find_if(
            begun, [at](const Beginning& each) { return each.onRoute && each.ms >= at; });
        report.backMs = first->ms - m_endMs;
    }
    return report;
}

} // namespace weir::routing
