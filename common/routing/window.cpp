// SPDX-License-Identifier: Apache-2.0
#include "common/routing/window.h"

#include <algorithm>
#include <cmath>

namespace weir::routing {
namespace {

/// ln 1.25: less than a quarter slower is no news. A literal, so that no compiler computes it.
constexpr double kLnSlack = 0.22314355131420976;
constexpr double kSdFloor = 0.25;
/// A lowered value draws near to newer bad news by half in this time, if that is less bad.
constexpr double kDecayMs = 30.0 * 60 * 1000;
/// Longer than any suffix: after it nothing recent can be older than `sinceMs`.
constexpr std::int64_t kSinceKeptMs = 3LL * 60 * 60 * 1000;

std::int64_t quantised(double level)
{
    return std::max<std::int64_t>(1, std::llround(level));
}

/// The shortest window that says so: the newest news.
const Reading* worseReading(const WindowInput& input, bool lowered)
{
    for (const Reading& reading : input.suffixes) {
        if (isWorse(reading, input)) return &reading;
    }
    return lowered && isWorse(input.since, input) ? &input.since : nullptr;
}

LearnedFigure lowered(double level, const Reading& reading, const WindowInput& input)
{
    LearnedFigure figure;
    figure.value = quantised(level);
    figure.state = WindowState::Lowered;
    figure.sinceMs = input.nowMs;
    figure.samples = reading.samples;
    return figure;
}

LearnedFigure normal(const Reading& reading, std::int64_t sinceMs, bool unverified)
{
    LearnedFigure figure;
    figure.value = quantised(reading.level);
    figure.sinceMs = sinceMs;
    figure.samples = reading.samples;
    figure.unverified = unverified;
    return figure;
}

double decayed(const LearnedFigure& previous, const Reading& news, const WindowInput& input)
{
    const auto held = static_cast<double>(previous.value);
    const double left = std::exp2(-static_cast<double>(input.elapsedMs) / kDecayMs);
    const double value = news.level + (held - news.level) * left;
    return input.worse == Worse::Higher ? std::max(value, news.level) : std::min(value, news.level);
}

LearnedFigure nextOfLowered(const LearnedFigure& previous, const WindowInput& input)
{
    if (const Reading* news = worseReading(input, true)) {
        return lowered(decayed(previous, *news, input), *news, input);
    }
    if (input.since.samples >= kFullSample) return normal(input.since, previous.sinceMs, false);
    if (input.nowMs - previous.sinceMs <= kUnverifiedMs) return previous;
    LearnedFigure figure = previous;
    if (input.base.samples > 0) figure = normal(input.base, previous.sinceMs, true);
    figure.state = WindowState::Normal;
    figure.unverified = true;
    return figure;
}

} // namespace

bool isWorse(const Reading& reading, const WindowInput& input)
{
    if (reading.samples < kSmallSample || input.usualSamples < kFullSample) return false;
    const double deviation = input.worse == Worse::Higher ? reading.deviation : -reading.deviation;
    const double noise =
        input.z * std::max(input.sd, kSdFloor) / std::sqrt(static_cast<double>(reading.samples));
    return deviation > std::max(kLnSlack, noise);
}

LearnedFigure nextFigure(const LearnedFigure& previous, const WindowInput& input)
{
    if (previous.state == WindowState::Lowered) return nextOfLowered(previous, input);
    if (const Reading* news = worseReading(input, false)) {
        return lowered(news->level, *news, input);
    }
    const std::int64_t sinceMs =
        input.nowMs - previous.sinceMs > kSinceKeptMs ? 0 : previous.sinceMs;
    if (input.recent.samples >= kFullSample) return normal(input.recent, sinceMs, false);
    if (input.base.samples > 0) return normal(input.base, sinceMs, previous.unverified);
    // Nothing in two days: what was known last, but nothing stands behind it.
    LearnedFigure figure = previous;
    figure.samples = 0;
    return figure;
}

LearnedFigure newestFigure(const WindowInput& input)
{
    if (input.recent.samples >= kFullSample) return normal(input.recent, 0, false);
    return input.base.samples > 0 ? normal(input.base, 0, false) : LearnedFigure{};
}

} // namespace weir::routing
