// SPDX-License-Identifier: Apache-2.0
#include "common/routing/measured.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weir::routing {
namespace {

std::size_t familyEnd(const Measure& measure)
{
    return measure.latency ? kRateFamily : measure.family + measure.cells;
}

bool isFullSample(std::span<const std::uint32_t> slots, const Measure& measure)
{
    std::int64_t count = 0;
    for (std::size_t i = measure.family * kLevels; i < familyEnd(measure) * kLevels; ++i)
        count += slots[i];
    return count >= kFullSample;
}

std::int64_t recentMinutes(const Measure& measure)
{
    return measure.family == kTaskFamily ? kRecentTaskMinutes : kRecentMinutes;
}

} // namespace

UsualSamples::UsualSamples(const Measure& measure, const RouteHistory* history, std::int64_t head)
{
    if (history == nullptr) return;
    m_slots = history->older();
    m_sums = history->olderSums();
    if (isFullSample(m_slots, measure)) return;
    m_merged = history->older();
    const std::int64_t first = head - recentMinutes(measure) + 1;
    for (const Sample& sample : history->samples(first, head, measure.family, familyEnd(measure))) {
        m_merged[sample.slot] += sample.count;
    }
    m_sums += history->sums(head - kRecentMinutes + 1, head);
}

LearnedFrom UsualSamples::from() const
{
    return {m_merged.empty() ? m_slots : std::span<const std::uint32_t>(m_merged), m_sums};
}

Comparison compareMinutes(const Measured& measured, std::int64_t after, std::int64_t last)
{
    if (measured.history == nullptr || after >= last) return {};
    const std::vector<Sample> samples = measured.history->samples(
        after + 1, last, measured.measure.family, familyEnd(measured.measure));
    const Sums sums = measured.measure.latency ? measured.history->sums(after + 1, last) : Sums{};
    return compare(measured.measure, samples, sums, measured.reference, measured.speedup);
}

WindowInput readWindows(
    const Measured& measured,
    const WindowRule& rule,
    const LearnedFigure& previous,
    const Learner& learner,
    std::int64_t nowMs)
{
    const auto reading = [&measured](const Comparison& seen) {
        return Reading{seen.count, measured.level * seen.ratio, seen.deviation};
    };
    const std::int64_t head = learner.minuteBefore(nowMs);
    const std::int64_t since = previous.sinceMs == 0 ? std::numeric_limits<std::int64_t>::min()
                                                     : learner.minuteBefore(previous.sinceMs);
    WindowInput input;
    input.worse = rule.worse;
    input.z = rule.z;
    input.sd = measured.reference.sd;
    input.usualSamples = std::llround(measured.reference.count);
    input.base = {input.usualSamples, measured.level, 0};
    for (const std::int64_t minutes : rule.minutes)
        input.suffixes.push_back(
            reading(compareMinutes(measured, std::max(head - minutes, since), head)));
    input.recent = input.suffixes[input.suffixes.size() - 1];
    if (previous.state == WindowState::Lowered) {
        const std::int64_t after = std::max(since, head - kHistoryMinutes);
        input.since = reading(compareMinutes(measured, after, head));
    }
    input.nowMs = nowMs;
    return input;
}

} // namespace weir::routing
