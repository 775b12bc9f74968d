// SPDX-License-Identifier: Apache-2.0
#include "common/routing/reference.h"

#include "common/model/policy.h"
#include "common/routing/survival.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace weir::routing {
namespace {

/// Counts of one cell, whole and cut ones, with its part of those nobody knows the cell of.
struct CellCounts
{
    std::span<const std::uint32_t> whole;
    std::span<const std::uint32_t> cut;
    std::span<const std::uint32_t> unknownWhole;
    std::span<const std::uint32_t> unknownCut;
    double unknownPart = 0;

    [[nodiscard]] double wholeAt(std::size_t i) const
    {
        return part(whole, i) + unknownPart * part(unknownWhole, i);
    }

    [[nodiscard]] double cutAt(std::size_t i) const
    {
        return part(cut, i) + unknownPart * part(unknownCut, i);
    }

private:
    [[nodiscard]] static double part(std::span<const std::uint32_t> counts, std::size_t i)
    {
        return counts.empty() ? 0.0 : static_cast<double>(counts[i]);
    }
};

double total(std::span<const std::uint32_t> counts)
{
    std::uint64_t sum = 0;
    for (const std::uint32_t count : counts)
        sum += count;
    return static_cast<double>(sum);
}

std::span<const std::uint32_t> familyOf(std::span<const std::uint32_t> slots, std::size_t family)
{
    return slots.subspan(family * kLevels, kLevels);
}

/// What a call takes that reads `share` of its input from cache, over one that reads nothing.
double cacheFactor(double share, double speedup)
{
    return 1.0 - speedup * share;
}

struct CellResult
{
    double mean = 0;
    double ln = 0;
    double variance = 0;
};

CellResult survey(const CellCounts& counts, double count)
{
    const LevelTable& levels = levelTable();
    Survival survival(count);
    for (std::size_t i = 0; i < kLevels; ++i)
        survival.step(levels.value[i], levels.ln[i], counts.wholeAt(i), counts.cutAt(i));
    return {survival.mean(), survival.lnMean(), survival.lnVariance()};
}

/// Counts of all cells of a measure, and how many samples each has.
struct Layout
{
    std::array<CellCounts, kKnownCells> cells;
    std::array<double, kKnownCells> known{};
    double count = 0;
};

Layout layoutOf(const Measure& measure, std::span<const std::uint32_t> slots)
{
    Layout layout;
    double known = 0;
    for (std::size_t c = 0; c < measure.cells; ++c) {
        layout.cells[c].whole = familyOf(slots, measure.family + c);
        layout.known[c] = total(layout.cells[c].whole);
        if (measure.latency) {
            layout.cells[c].cut = familyOf(slots, kCutFamily + c);
            layout.known[c] += total(layout.cells[c].cut);
        }
        known += layout.known[c];
    }
    layout.count = known;
    if (!measure.latency) return layout;
    const std::span<const std::uint32_t> whole = familyOf(slots, kUnknownCell);
    const std::span<const std::uint32_t> cut = familyOf(slots, kCutFamily + kUnknownCell);
    const double unknown = total(whole) + total(cut);
    if (unknown == 0) return layout;
    layout.count += unknown;
    for (std::size_t c = 0; c < measure.cells; ++c) {
        const double part = known > 0 ? layout.known[c] / known : (c == 0 ? 1.0 : 0.0);
        layout.cells[c].unknownWhole = whole;
        layout.cells[c].unknownCut = cut;
        layout.cells[c].unknownPart = part;
    }
    return layout;
}

} // namespace

Reference referenceOf(
    const Measure& measure, std::span<const std::uint32_t> slots, const Sums& sums, double speedup)
{
    const Layout layout = layoutOf(measure, slots);
    Reference result;
    result.count = layout.count;
    if (layout.count <= 0) return result;
    double variance = 0;
    const double known = [&layout] {
        double sum = 0;
        for (const double count : layout.known)
            sum += count;
        return sum;
    }();
    for (std::size_t c = 0; c < measure.cells; ++c) {
        const double all =
            known > 0 ? layout.count * layout.known[c] / known : (c == 0 ? layout.count : 0.0);
        if (all <= 0) continue;
        CellReference& cell = result.cells[c];
        const CellResult seen = survey(layout.cells[c], all);
        cell.count = all;
        cell.cachedShare = measure.latency && layout.known[c] > 0
                               ? static_cast<double>(sums.cachedShare(c)) / kPpm / layout.known[c]
                               : 0.0;
        const double factor = cacheFactor(cell.cachedShare, speedup);
        cell.mean = seen.mean / factor;
        cell.ln = seen.ln - std::log(factor);
        result.rawMean += all * seen.mean;
        result.rawLn += all * seen.ln;
        result.mean += all * cell.mean;
        result.ln += all * cell.ln;
        variance += all * seen.variance;
    }
    for (double* sum : {&result.rawMean, &result.rawLn, &result.mean, &result.ln})
        *sum /= layout.count;
    result.sd = std::sqrt(variance / layout.count);
    return result;
}

namespace {

/// A sample as a multiple of what is usual for it.
struct Point
{
    double ratio;
    double deviation;
    std::uint32_t slot;
    double whole;
    double cut;
};

/// What is usual for the cell of a sample, its cached share in these minutes included.
struct Usual
{
    double mean = 0;
    double ln = 0;
};

Usual usualOf(const Reference& reference, std::size_t cell, double cachedShare, double speedup)
{
    if (cell == kUnknownCell) return {reference.rawMean, reference.rawLn};
    const CellReference& known = reference.cells[cell];
    const double factor = cacheFactor(cachedShare, speedup);
    const double mean = known.count > 0 ? known.mean : reference.mean;
    const double ln = known.count > 0 ? known.ln : reference.ln;
    return {mean * factor, ln + std::log(factor)};
}

std::size_t cellOf(const Measure& measure, std::size_t family)
{
    if (!measure.latency) return 0;
    return family >= kCutFamily ? family - kCutFamily : family;
}

} // namespace

Comparison compare(
    const Measure& measure,
    std::span<const Sample> samples,
    const Sums& sums,
    const Reference& reference,
    double speedup)
{
    Comparison result;
    std::array<double, kCells> counts{};
    for (const Sample& sample : samples) {
        counts[cellOf(measure, sample.slot / kLevels)] += sample.count;
        result.count += sample.count;
    }
    if (result.count == 0 || reference.count <= 0) return result;
    std::array<Usual, kCells> usual{};
    for (std::size_t c = 0; c < kCells; ++c) {
        if (counts[c] <= 0) continue;
        const bool shared = measure.latency && c < kKnownCells;
        const double share =
            shared ? static_cast<double>(sums.cachedShare(c)) / kPpm / counts[c] : 0.0;
        usual[c] = usualOf(reference, c, share, speedup);
    }
    const LevelTable& levels = levelTable();
    std::vector<Point> points;
    points.reserve(samples.size());
    for (const Sample& sample : samples) {
        const std::size_t family = sample.slot / kLevels;
        const std::size_t level = sample.slot % kLevels;
        const bool cut = measure.latency && family >= kCutFamily;
        const Usual& expected = usual[cellOf(measure, family)];
        points.push_back(
            {levels.value[level] / expected.mean,
             levels.ln[level] - expected.ln,
             sample.slot,
             cut ? 0.0 : static_cast<double>(sample.count),
             cut ? static_cast<double>(sample.count) : 0.0});
    }
    std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
        return std::tie(a.ratio, a.cut, a.slot) < std::tie(b.ratio, b.cut, b.slot);
    });
    Survival survival(static_cast<double>(result.count));
    for (const Point& point : points)
        survival.step(point.ratio, point.deviation, point.whole, point.cut);
    result.ratio = survival.mean();
    result.deviation = survival.lnMean();
    return result;
}

} // namespace weir::routing
