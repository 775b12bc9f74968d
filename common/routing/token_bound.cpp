// SPDX-License-Identifier: Apache-2.0
#include "common/routing/token_bound.h"

#include "common/base/fixed_point.h"
#include "common/model/policy.h"

#include <algorithm>
#include <array>

namespace weir::routing {
namespace {

/// One sample in so many may lie above.
constexpr std::int64_t kAboveOneOf = 200;
constexpr std::int64_t kMarginPpm = 1'100'000;
/// How often a summary is made.
constexpr std::int64_t kStepMinutes = 5;

/// Nonsense stays small enough to be multiplied.
constexpr std::int64_t kTokensMax = 1'000'000'000;

/// Ratios in ppm, by level of the sketch.
class Ratios final
{
public:
    void add(const Sample& sample)
    {
        m_counts[sample.slot % kLevels] += sample.count;
        m_count += sample.count;
    }

    [[nodiscard]] std::int64_t count() const { return m_count; }

    /// The level that `above` samples lie above.
    [[nodiscard]] std::int64_t below(std::int64_t above) const
    {
        for (std::size_t level = kLevels; level-- > 0;) {
            above -= m_counts[level];
            if (above < 0) return histogramMiddle(level);
        }
        return 0;
    }

    /// 0 = too few.
    [[nodiscard]] std::int64_t bound() const
    {
        if (m_count < kBoundSamplesMin) return 0;
        return mulDiv(below(m_count / kAboveOneOf), kMarginPpm, kPpm);
    }

private:
    std::array<std::int64_t, kLevels> m_counts{};
    std::int64_t m_count = 0;
};

/// Most histories have none: then nothing is walked through.
bool hasSamples(const RouteHistory& history, std::int64_t head)
{
    const auto first = history.older().begin() + kTokenFamily * kLevels;
    const bool older =
        std::any_of(first, first + kLevels, [](std::uint32_t count) { return count > 0; });
    return older ||
           !history
                .samples(
                    head - kRecentMinutes + 1, head + kAheadMinutes, kTokenFamily, kTokenFamily + 1)
                .empty();
}

} // namespace

std::optional<std::uint32_t> tokenSlot(const CallFact& fact)
{
    if (fact.tokensEstimated || fact.promptEstimate < kBoundEstimateMin) return std::nullopt;
    if (fact.inputUncached < 0) return std::nullopt;
    std::int64_t tokens = 0;
    for (const std::int64_t part : {fact.inputUncached, fact.inputCached, fact.cacheWrite})
        tokens += std::clamp<std::int64_t>(part, 0, kTokensMax);
    if (tokens == 0) return std::nullopt;
    return slotOf(kTokenFamily, mulDiv(tokens, kPpm, fact.promptEstimate));
}

TokenBound learnTokenBound(const RouteHistory& history, std::int64_t head)
{
    TokenBound result;
    if (!hasSamples(history, head)) return result;
    Ratios known;
    std::int64_t first = head - kHistoryMinutes + 1;
    while (first <= head + kAheadMinutes) {
        // Steps lie on a grid of their own, so that they do not move with the head.
        const std::int64_t into = ((first % kStepMinutes) + kStepMinutes) % kStepMinutes;
        const std::int64_t last = std::min(first - into + kStepMinutes - 1, head + kAheadMinutes);
        const auto samples = history.samples(first, last, kTokenFamily, kTokenFamily + 1);
        const std::int64_t held = samples.empty() ? 0 : boundPpm({known.bound(), 0, 0, 0});
        for (const Sample& sample : samples) {
            if (histogramMiddle(sample.slot % kLevels) > held) result.overruns += sample.count;
            known.add(sample);
        }
        first = last + 1;
    }
    result.samples = known.count();
    result.boundPpm = known.bound();
    if (result.samples > 0) result.medianPpm = known.below(result.samples / 2);
    return result;
}

} // namespace weir::routing
