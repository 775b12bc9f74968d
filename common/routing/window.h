// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/static_vector.h"
#include "common/model/route_figures.h"

#include <cstdint>

namespace weir::routing {

/// routing.md section 3: a full sample, and the least that may lower.
inline constexpr std::int64_t kFullSample = 30;
inline constexpr std::int64_t kSmallSample = 5;
/// One-sided 1 %, for one window and for three (Bonferroni).
inline constexpr double kZOne = 2.326;
inline constexpr double kZThree = 2.71;
/// A figure comes back by age alone after so long without a full sample.
inline constexpr std::int64_t kUnverifiedMs = 24LL * 60 * 60 * 1000;

/// Which way a figure is worse.
enum class Worse : std::uint8_t { Higher, Lower };

/// A figure over one window.
struct Reading
{
    std::int64_t samples = 0;
    double level = 0;
    /// Mean of the logarithm less the usual one.
    double deviation = 0;
};

struct WindowInput
{
    Worse worse = Worse::Higher;
    double z = kZThree;
    /// Standard deviation of the logarithm, and how many samples the usual was learned from.
    double sd = 0;
    std::int64_t usualSamples = 0;
    /// 48 hours, without what is recent where that alone is no full sample.
    Reading base;
    /// Suffixes that end now, shortest first. Calls from before `LearnedFigure::sinceMs` are in
    /// none of them.
    StaticVector<Reading, 3> suffixes;
    /// What the longest one says where it is a full sample.
    Reading recent;
    /// Lowered: all calls since `LearnedFigure::sinceMs`.
    Reading since;
    std::int64_t nowMs = 0;
    /// Since the summary before.
    std::int64_t elapsedMs = 0;
};

/// mean - usual > max(ln 1.25, z * sd / sqrt(n)), with at least `kSmallSample` samples and sd at
/// least 0.25, in the bad direction.
[[nodiscard]] bool isWorse(const Reading& reading, const WindowInput& input);

/// One step of the asymmetric window: a small sample may lower a figure, only a full one that was
/// seen since may raise it again.
[[nodiscard]] LearnedFigure nextFigure(const LearnedFigure& previous, const WindowInput& input);

/// Study only (`GuardingRules::latchedWindows`): what is recent where that is a full sample, else
/// two days.
[[nodiscard]] LearnedFigure newestFigure(const WindowInput& input);

} // namespace weir::routing
