// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/time_series.h"

#include "common/base/assert.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weir::model {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

struct Bounds
{
    std::size_t first;
    std::size_t last; ///< one past
};

/// The samples of the range and one on either side, so that lines run to the edges.
Bounds boundsOf(std::span<const Ms> times, Span range)
{
    auto first = std::ranges::lower_bound(times, range.from);
    auto last = std::ranges::upper_bound(times, range.to);
    if (first != times.begin()) --first;
    if (last != times.end()) ++last;
    return {
        static_cast<std::size_t>(first - times.begin()),
        static_cast<std::size_t>(last - times.begin())};
}

/// Pixel columns stand on multiples of their width, not on the range's edge: otherwise every point
/// of a scrolling chart would change its group, and the picture would shimmer.
Ms columnWidth(Span range, int pixels)
{
    return std::max<Ms>(1, range.length() / std::max(1, pixels));
}

Ms columnOf(Ms time, Ms width)
{
    return time / width;
}

class MinMaxColumn final
{
public:
    void add(Ms time, double value)
    {
        const QPointF point(static_cast<double>(time), value);
        if (m_isEmpty || value < m_low.y()) m_low = point;
        if (m_isEmpty || value > m_high.y()) m_high = point;
        m_isEmpty = false;
    }

    void flush(std::vector<QPointF>& out)
    {
        if (m_isEmpty) return;
        const bool isLowFirst = m_low.x() <= m_high.x();
        out.push_back(isLowFirst ? m_low : m_high);
        if (m_low.x() != m_high.x()) out.push_back(isLowFirst ? m_high : m_low);
        m_isEmpty = true;
    }

private:
    QPointF m_low;
    QPointF m_high;
    bool m_isEmpty = true;
};

} // namespace

std::vector<QPointF> decimateMinMax(Column column, Span range, int pixels)
{
    WEIR_ASSERT(column.times.size() == column.values.size());
    std::vector<QPointF> points;
    if (range.length() <= 0) return points;
    const Bounds bounds = boundsOf(column.times, range);
    const Ms width = columnWidth(range, pixels);
    MinMaxColumn current;
    Ms group = std::numeric_limits<Ms>::min();
    bool isBroken = true;
    for (std::size_t i = bounds.first; i < bounds.last; ++i) {
        const Ms time = column.times[i];
        const double value = column.values[i];
        if (!std::isfinite(value)) {
            current.flush(points);
            if (!isBroken) points.emplace_back(static_cast<double>(time), kNothing);
            isBroken = true;
            continue;
        }
        if (columnOf(time, width) != group) current.flush(points);
        group = columnOf(time, width);
        current.add(time, value);
        isBroken = false;
    }
    current.flush(points);
    return points;
}

std::vector<std::vector<QPointF>> runsOf(const std::vector<QPointF>& points)
{
    std::vector<std::vector<QPointF>> runs;
    bool isBroken = true;
    for (const QPointF& point : points) {
        const bool isKnown = std::isfinite(point.y());
        if (isKnown && isBroken) runs.emplace_back();
        if (isKnown) runs.back().push_back(point);
        isBroken = !isKnown;
    }
    return runs;
}

std::vector<QPointF> decimateMean(Column column, Span range, int pixels)
{
    WEIR_ASSERT(column.times.size() == column.values.size());
    std::vector<QPointF> points;
    if (range.length() <= 0) return points;
    const Bounds bounds = boundsOf(column.times, range);
    const Ms width = columnWidth(range, pixels);
    for (std::size_t i = bounds.first; i < bounds.last;) {
        const Ms group = columnOf(column.times[i], width);
        const Ms time = column.times[i];
        double sum = 0.0;
        int count = 0;
        for (; i < bounds.last && columnOf(column.times[i], width) == group; ++i) {
            if (!std::isfinite(column.values[i])) continue;
            sum += column.values[i];
            ++count;
        }
        points.emplace_back(static_cast<double>(time), count > 0 ? sum / count : 0.0);
    }
    return points;
}

std::vector<Span> gapsIn(std::span<const Ms> times, std::span<const Ms> steps, Span range)
{
    WEIR_ASSERT(times.size() == steps.size());
    constexpr Ms kMissed = 3;
    std::vector<Span> gaps;
    const auto add = [&](Ms from, Ms to) {
        const Span gap{std::max(from, range.from), std::min(to, range.to)};
        if (gap.length() > 0) gaps.push_back(gap);
    };
    if (times.empty()) {
        add(range.from, range.to);
        return gaps;
    }
    if (times.front() - range.from > kMissed * steps.front()) add(range.from, times.front());
    const Bounds bounds = boundsOf(times, range);
    for (std::size_t i = bounds.first; i + 1 < bounds.last; ++i) {
        const Ms step = std::max(steps[i], steps[i + 1]);
        if (times[i + 1] - times[i] > kMissed * step) add(times[i], times[i + 1]);
    }
    if (range.to - times.back() > kMissed * steps.back()) add(times.back(), range.to);
    return gaps;
}

std::ptrdiff_t indexAt(std::span<const Ms> times, Ms time)
{
    return std::ranges::upper_bound(times, time) - times.begin() - 1;
}

} // namespace weir::model
