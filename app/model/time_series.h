// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>

#include <cstdint>
#include <span>
#include <vector>

namespace weir::model {

/// Times are milliseconds since the epoch: what charts compute with.
using Ms = std::int64_t;

struct Span
{
    Ms from = 0;
    Ms to = 0;

    [[nodiscard]] Ms length() const { return to - from; }

    [[nodiscard]] bool contains(Ms time) const { return time >= from && time <= to; }

    bool operator==(const Span&) const = default;
};

/// One column of a history: times in rising order, and beside each a value or NaN.
struct Column
{
    std::span<const Ms> times;
    std::span<const double> values;
};

/// At most two points a pixel column (its lowest and highest in the order in which they came), so
/// that no spike is lost. A stretch without values becomes one NaN point, which breaks the line.
[[nodiscard]] std::vector<QPointF> decimateMinMax(Column column, Span range, int pixels);

/// The stretches between NaN points.
[[nodiscard]] std::vector<std::vector<QPointF>> runsOf(const std::vector<QPointF>& points);

/// The mean of each pixel column, at the same times for every column of one history, so that areas
/// can be stacked. A pixel column without a value has 0.
[[nodiscard]] std::vector<QPointF> decimateMean(Column column, Span range, int pixels);

/// Stretches of `range` where samples are missing: `steps[i]` is the interval at which sample i was
/// expected after the one before; three missed ones make a gap. Reaches to both ends of the range.
[[nodiscard]] std::vector<Span>
gapsIn(std::span<const Ms> times, std::span<const Ms> steps, Span range);

/// The last sample at or before `time`, or -1.
[[nodiscard]] std::ptrdiff_t indexAt(std::span<const Ms> times, Ms time);

} // namespace weir::model
