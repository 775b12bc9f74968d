// SPDX-License-Identifier: Apache-2.0
#include "common/routing/standard_level.h"

#include "common/model/policy.h"
#include "common/routing/survival.h"
#include "common/routing/window.h"

#include <algorithm>
#include <cmath>

namespace weir::routing {
namespace {

constexpr double kSpeedupMax = 0.9;
/// Pairs of calls that the answer "no speedup" weighs.
constexpr double kSpeedupPrior = 20;
/// Warm and cold calls must differ so much in cached share to say anything.
constexpr double kShareApart = 0.1;
/// Calls that the pool's mean weighs in a prompt size that a route has seldom seen.
constexpr double kSizePrior = 5;

struct LogMean
{
    double count = 0;
    double mean = 0;
    double share = 0;
};

LogMean logMean(const LearnedFrom& from, std::size_t cell)
{
    const LevelTable& levels = levelTable();
    LogMean result;
    double cut = 0;
    for (std::size_t i = 0; i < kLevels; ++i) {
        const auto count = static_cast<double>(from.slots[cell * kLevels + i]);
        result.count += count;
        result.mean += count * levels.ln[i];
        cut += static_cast<double>(from.slots[(kCutFamily + cell) * kLevels + i]);
    }
    if (result.count <= 0) return result;
    result.mean /= result.count;
    result.share = static_cast<double>(from.sums.cachedShare(cell)) / kPpm / (result.count + cut);
    return result;
}

/// What one route says about one prompt size, and what that weighs against the others.
struct SizeLevel
{
    double count = 0;
    double mean = 0;
};

using SizeLevels = std::array<SizeLevel, kSizes>;

SizeLevels sizeLevels(const Reference& route)
{
    double cold = 0;
    for (std::size_t s = 0; s < kSizes; ++s)
        cold += route.cells[s].count;
    SizeLevels levels{};
    for (std::size_t s = 0; s < kSizes; ++s) {
        const CellReference& first = route.cells[s];
        const CellReference& warm = route.cells[kSizes + s];
        levels[s] = {first.count, first.mean};
        if (cold >= static_cast<double>(kFullSample) || warm.count <= 0) continue;
        levels[s].count = first.count + warm.count;
        levels[s].mean = (first.count * first.mean + warm.count * warm.mean) / levels[s].count;
    }
    return levels;
}

/// Means by size over all routes; a size that nobody has gets the overall mean.
SizeLevels poolLevels(const std::vector<SizeLevels>& routes)
{
    SizeLevels pool{};
    SizeLevel all;
    for (const SizeLevels& route : routes) {
        for (std::size_t s = 0; s < kSizes; ++s) {
            pool[s].count += route[s].count;
            pool[s].mean += route[s].count * route[s].mean;
            all.count += route[s].count;
            all.mean += route[s].count * route[s].mean;
        }
    }
    for (SizeLevel& size : pool) {
        if (size.count > 0) {
            size.mean /= size.count;
        } else if (all.count > 0) {
            size.mean = all.mean / all.count;
        }
    }
    return pool;
}

} // namespace

double learnSpeedup(std::span<const LearnedFrom> routes)
{
    double weights = 0;
    double sum = 0;
    double pairs = 0;
    for (const LearnedFrom& route : routes) {
        if (route.slots.empty()) continue;
        for (std::size_t s = 0; s < kSizes; ++s) {
            const LogMean cold = logMean(route, s);
            const LogMean warm = logMean(route, kSizes + s);
            const double apart = warm.share - cold.share;
            if (cold.count <= 0 || warm.count <= 0 || apart < kShareApart) continue;
            const double ratio = std::min(1.0, std::exp(warm.mean - cold.mean));
            const double speedup = (1 - ratio) / std::max(warm.share - ratio * cold.share, 0.05);
            const double count = cold.count * warm.count / (cold.count + warm.count);
            const double weight = count * apart * apart;
            weights += weight;
            sum += weight * std::min(speedup, 1.0);
            pairs += count;
        }
    }
    if (weights <= 0) return 0;
    const double learned = sum / weights * pairs / (pairs + kSpeedupPrior);
    return std::clamp(learned, 0.0, kSpeedupMax);
}

std::vector<double> standardLevels(std::span<const Reference> routes)
{
    std::array<double, kSizes> mix{};
    double calls = 0;
    std::vector<SizeLevels> levels;
    for (const Reference& route : routes) {
        levels.push_back(sizeLevels(route));
        for (std::size_t s = 0; s < kSizes; ++s) {
            mix[s] += route.cells[s].count + route.cells[kSizes + s].count;
            calls += route.cells[s].count + route.cells[kSizes + s].count;
        }
    }
    const SizeLevels pool = poolLevels(levels);
    std::vector<double> result;
    for (const SizeLevels& route : levels) {
        double own = 0;
        double usual = 0;
        for (std::size_t s = 0; s < kSizes; ++s) {
            own += route[s].count * route[s].mean;
            usual += route[s].count * pool[s].mean;
        }
        double level = 0;
        for (std::size_t s = 0; usual > 0 && s < kSizes; ++s) {
            const double guess = own / usual * pool[s].mean;
            const double mean = (route[s].count * route[s].mean + kSizePrior * guess) /
                                (route[s].count + kSizePrior);
            level += mix[s] / calls * mean;
        }
        result.push_back(level);
    }
    return result;
}

} // namespace weir::routing
