// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/decision_trends.h"

#include "app/model/format.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weir::model {
namespace {

constexpr Ms kMinute = 60'000;
constexpr Ms kColumnsMax = 120;
constexpr std::size_t kMinutes = 60;
constexpr auto kProfile = std::chrono::hours{24};
constexpr std::size_t kReasons = static_cast<std::size_t>(Reason::Fixed) + 1;

QString word(std::string_view text)
{
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

/// Whole minutes, so long that the range has no more columns than can be told apart.
Ms stepOf(Span range)
{
    const Ms minutes = range.length() / kMinute / kColumnsMax + 1;
    return minutes * kMinute;
}

QString minuteText(Ms at)
{
    return clockText(fromEpochMs(at)).left(5) + QChar('Z');
}

bool isEmpty(const Stacks& bars)
{
    return std::ranges::all_of(bars.series, [](const StackSeries& series) {
        return std::ranges::all_of(series.values, [](double value) { return value == 0.0; });
    });
}

/// The column in which the most of what is asked for failed, and how much.
std::pair<std::size_t, double> worstOf(const Stacks& bars)
{
    std::pair<std::size_t, double> worst{0, 0.0};
    for (std::size_t i = 0; i < kMinutes; ++i) {
        const double sum = bars.sumOf(i);
        const double failed = bars.series.back().values[i];
        if (sum > 0.0 && failed / sum > worst.second) worst = {i, failed / sum};
    }
    return worst;
}

} // namespace

Stacks reasonBars(const std::vector<store::ReasonCount>& rows, Span range, Ms step)
{
    Stacks bars;
    const Ms first = range.from / step;
    const Ms last = std::max(first, (range.to - 1) / step);
    const auto columns = static_cast<std::size_t>(last - first + 1);
    for (Ms at = first; at <= last; ++at)
        bars.columns << minuteText(at * step);
    bars.labelEvery = std::max(1, static_cast<int>(columns / 10));
    std::array<StackSeries, kReasons> all;
    std::array<double, kReasons> sums{};
    for (std::size_t i = 0; i < kReasons; ++i) {
        all.at(i).name = word(toWord(static_cast<Reason>(i)));
        all.at(i).values.resize(columns);
    }
    for (const store::ReasonCount& row : rows) {
        const Ms column = row.atMs / step - first;
        if (column < 0 || column > last - first) continue;
        const auto reason = static_cast<std::size_t>(row.reason);
        all.at(reason).values[static_cast<std::size_t>(column)] +=
            static_cast<double>(row.requests);
        sums.at(reason) += static_cast<double>(row.requests);
    }
    QStringList said;
    for (std::size_t i = 0; i < kReasons; ++i) {
        if (sums.at(i) == 0.0) continue;
        said << all.at(i).name + QChar(' ') + QString::number(sums.at(i), 'f', 0);
        bars.series.push_back(std::move(all.at(i)));
    }
    bars.text = QStringLiteral("Requests by reason: ") + said.join(QStringLiteral(", "));
    return bars;
}

Stacks hourProfile(const std::vector<store::HistoryPoint>& points)
{
    Stacks bars;
    StackSeries good{QStringLiteral("not failed"), {}, false};
    StackSeries failed{QStringLiteral("failed"), {}, true};
    good.values.resize(kMinutes);
    failed.values.resize(kMinutes);
    for (const store::HistoryPoint& point : points) {
        const auto minute = static_cast<std::size_t>(epochMs(point.at) / kMinute % 60);
        for (std::size_t i = 0; i < kOutcomeCount; ++i) {
            const auto outcome = static_cast<Outcome>(i);
            const bool isGood = isSuccess(outcome) || isNeutral(outcome);
            (isGood ? good : failed).values[minute] +=
                static_cast<double>(point.sums.outcomes.at(i));
        }
    }
    for (std::size_t i = 0; i < kMinutes; ++i)
        bars.columns << QStringLiteral(":%1").arg(i, 2, 10, QChar('0'));
    bars.labelEvery = 5;
    bars.series = {std::move(good), std::move(failed)};
    const auto [minute, share] = worstOf(bars);
    bars.text = share > 0.0 ? QStringLiteral("Most failures in minute :%1 of the hour, %2")
                                  .arg(minute, 2, 10, QChar('0'))
                                  .arg(percent(share))
                            : QStringLiteral("No failure in any minute of the hour");
    return bars;
}

DecisionTrends::DecisionTrends(Console& console, QObject* parent)
    : QObject(parent)
    , m_console(console)
    , m_askedReasons(console.archive(), console.clock(), [this] { takeReasons(); })
    , m_askedProfile(console.archive(), console.clock(), [this] { takeProfile(); })
{
}

void DecisionTrends::ask()
{
    const UtcTime now = m_console.now();
    const Span range = m_console.window().span(now);
    const Ms step = stepOf(range);
    m_askedReasons.ask([range, step](store::Database& database) -> Result<Counts> {
        auto rows = database.reasons(range.from, range.to, step);
        if (!rows) return tl::unexpected(rows.error());
        return Counts{range, step, std::move(*rows)};
    });
    m_askedProfile.ask([now](store::Database& database) {
        return database.history({std::string{}, now - kProfile, now, std::chrono::seconds{60}});
    });
    emit changed();
}

void DecisionTrends::takeReasons()
{
    if (const Counts* counts = m_askedReasons.value()) {
        m_reasons = reasonBars(counts->rows, counts->range, counts->step);
    }
    emit changed();
}

void DecisionTrends::takeProfile()
{
    if (const auto* points = m_askedProfile.value()) m_profile = hourProfile(*points);
    emit changed();
}

PanelState DecisionTrends::reasonsPanel() const
{
    PanelState state = m_askedReasons.panel();
    if (state.kind == PanelState::Kind::Live && m_reasons.series.empty()) {
        state.kind = PanelState::Kind::Empty;
        state.text = QStringLiteral("No request in this time range");
    }
    return state;
}

PanelState DecisionTrends::profilePanel() const
{
    PanelState state = m_askedProfile.panel();
    if (state.kind == PanelState::Kind::Live && isEmpty(m_profile)) {
        state.kind = PanelState::Kind::Empty;
        state.text = QStringLiteral("No attempt in the last 24 hours");
    }
    return state;
}

} // namespace weir::model
