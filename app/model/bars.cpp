// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/bars.h"

#include "app/model/format.h"

#include <QDateTime>
#include <QLocale>

#include <numeric>

namespace weir::model {
namespace {

constexpr Ms kDay = 86'400'000;

QString timeAs(Ms time, const QString& format)
{
    return QLocale::c().toString(QDateTime::fromMSecsSinceEpoch(time, Qt::UTC), format);
}

} // namespace

std::int64_t CostBar::total() const
{
    return std::accumulate(costs.begin(), costs.end(), std::int64_t{0});
}

std::optional<std::int64_t> CostBars::total() const
{
    std::int64_t sum = 0;
    bool isKnown = false;
    for (const CostBar& bar : bars) {
        sum += bar.total();
        isKnown = isKnown || bar.attempts > bar.unknown;
    }
    return isKnown ? std::optional{sum} : std::nullopt;
}

QString CostBars::timeText(const CostBar& bar) const
{
    const QString soFar = bar.isPartial ? QStringLiteral(", so far") : QString();
    if (step >= kDay) return timeAs(bar.from, QStringLiteral("d MMM")) + soFar;
    return timeAs(bar.from, QStringLiteral("d MMM HH:mm")) + QStringLiteral("Z to ") +
           timeAs(bar.from + step, QStringLiteral("HH:mm")) + QChar('Z') + soFar;
}

QString CostBars::textOf(const CostBar& bar) const
{
    QString text = timeText(bar) + QStringLiteral(": ");
    if (bar.attempts == 0) return text + QStringLiteral("no attempt");
    text += money(bar.attempts > bar.unknown ? std::optional{bar.total()} : std::nullopt);
    for (std::size_t p = 0; p < bar.costs.size(); ++p) {
        if (bar.costs[p] == 0) continue;
        text += QStringLiteral(" · ") + plain(providers[p]) + QChar(' ') + money(bar.costs[p]);
    }
    if (bar.unknown > 0) {
        text += QStringLiteral(" · ") + counted(bar.unknown, QStringLiteral("attempt")) +
                QStringLiteral(" without a known cost");
    }
    return text;
}

QString momentText(Ms time)
{
    return timeAs(time, QStringLiteral("d MMM HH:mm")) + QChar('Z');
}

} // namespace weir::model
