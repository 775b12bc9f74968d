// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/time_axis.h"

#include "app/model/format.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::model {
namespace {

constexpr Ms kSecond = 1'000;
constexpr Ms kMinute = 60 * kSecond;
constexpr Ms kHour = 60 * kMinute;
constexpr Ms kDay = 24 * kHour;
constexpr std::array kSteps{
    1 * kSecond, 2 * kSecond, 5 * kSecond,  10 * kSecond, 15 * kSecond, 30 * kSecond, 1 * kMinute,
    2 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute, 1 * kHour,    2 * kHour,
    3 * kHour,   6 * kHour,   12 * kHour,   kDay,         2 * kDay,     7 * kDay,     28 * kDay};

/// Where it goes over days, midnight is a date.
QString label(Ms time, Ms step, bool isOverDays)
{
    if (isOverDays && time % kDay == 0) {
        static const QLocale kEnglish(QLocale::C);
        return kEnglish.toString(
            QDateTime::fromMSecsSinceEpoch(time, Qt::UTC), QStringLiteral("d MMM"));
    }
    const QString text = clockText(fromEpochMs(time));
    return step < kMinute ? text.left(8) : text.left(5);
}

/// As many as write the step exactly: 0.25 has two.
int decimalsOf(double step)
{
    int decimals = 0;
    for (double scaled = step; decimals < 6 && std::abs(scaled - std::round(scaled)) > 1e-6;
         ++decimals) {
        scaled *= 10.0;
    }
    return decimals;
}

} // namespace

Ms timeStep(Span range, int maxCount)
{
    const Ms least = range.length() / std::max(1, maxCount);
    const auto found = std::ranges::find_if(kSteps, [&](Ms step) { return step >= least; });
    return found == kSteps.end() ? kSteps.back() : *found;
}

std::vector<Tick> timeTicks(Span range, int maxCount)
{
    const Ms step = timeStep(range, maxCount);
    const bool isOverDays = range.length() > kDay;
    std::vector<Tick> ticks;
    for (Ms time = (range.from + step - 1) / step * step; time <= range.to; time += step) {
        ticks.push_back({static_cast<double>(time), label(time, step, isOverDays)});
    }
    return ticks;
}

std::vector<Tick> valueTicks(double maximum, int count, const QString& unit)
{
    constexpr std::array kNice{1.0, 2.0, 2.5, 5.0, 10.0};
    const double top = std::isfinite(maximum) && maximum > 0.0 ? maximum : 1.0;
    const double raw = top / std::max(1, count);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const auto found =
        std::ranges::find_if(kNice, [&](double n) { return n * power >= raw * 0.999999; });
    const double step = (found == kNice.end() ? 10.0 : *found) * power;
    const int decimals = decimalsOf(step);
    std::vector<Tick> ticks;
    const int steps = static_cast<int>(std::ceil(top / step - 1e-9));
    for (int i = 0; i <= steps; ++i) {
        QString text = QString::number(i * step, 'f', decimals);
        if (i == steps && !unit.isEmpty()) text += QChar(' ') + unit;
        ticks.push_back({i * step, text});
    }
    return ticks;
}

} // namespace weir::model
