// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace weir::model {

/// One colour of a chart of stacked bars.
struct StackSeries
{
    QString name;
    /// Beside each column of the chart.
    std::vector<double> values;
    /// Something went wrong: it has the colour of that, not one of its own.
    bool isFailure = false;
};

/// A chart of stacked bars, bottom first.
struct Stacks
{
    /// One a column: what it stands for.
    QStringList columns;
    /// Which columns have their name below them.
    int labelEvery = 10;
    std::vector<StackSeries> series;
    /// The chart in a sentence, for who cannot see it.
    QString text;

    [[nodiscard]] double sumOf(std::size_t column) const
    {
        double sum = 0.0;
        for (const StackSeries& each : series)
            sum += each.values[column];
        return sum;
    }
};

} // namespace weir::model
