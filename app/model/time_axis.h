// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/time_series.h"

#include <QString>

#include <vector>

namespace weir::model {

/// A mark on an axis: where, and what to write there.
struct Tick
{
    double value = 0.0;
    QString label;
};

/// Marks on whole steps (1, 2, 5, 10, 15, 30 s or min, 1, 2, 3, 6, 12 h, 1, 2, 7, 28 d) in
/// UTC, at most `maxCount`. Over more than a day, midnight has its date.
[[nodiscard]] std::vector<Tick> timeTicks(Span range, int maxCount);

/// The step of `timeTicks`, in milliseconds.
[[nodiscard]] Ms timeStep(Span range, int maxCount);

/// From 0 to the first nice value (1, 2, 2.5, 5 times a power of ten) at or above `maximum`, in
/// `count` equal parts or fewer. `unit` is appended to the topmost label.
[[nodiscard]] std::vector<Tick> valueTicks(double maximum, int count, const QString& unit);

} // namespace weir::model
