// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/provider_table.h"

#include "app/model/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weir::model {
namespace {

constexpr Ms kSparkLength = 10 * 60'000;
constexpr int kSparkPoints = 60;

std::vector<double> sparkOf(const History& history, const std::string& provider, Ms now)
{
    std::vector<double> values(kSparkPoints, std::numeric_limits<double>::quiet_NaN());
    const auto found = std::ranges::find(history.providers(), provider);
    if (found == history.providers().end()) return values;
    const auto index = static_cast<std::size_t>(found - history.providers().begin());
    const Ms step = kSparkLength / kSparkPoints;
    const Ms last = now / step * step;
    for (int i = 0; i < kSparkPoints; ++i) {
        const Ms time = last - step * (kSparkPoints - 1 - i);
        values[static_cast<std::size_t>(i)] = history.valueAt(index, Quantity::Rps, time);
    }
    return values;
}

QString displayText(const ProviderRow& row, int column)
{
    switch (column) {
    case ProviderTable::ProviderColumn:
        return row.provider;
    case ProviderTable::StateColumn:
        return row.state.word;
    case ProviderTable::ShareColumn:
        return percent(row.share);
    case ProviderTable::RateColumn:
        return rate(row.rps);
    case ProviderTable::TtftColumn:
        return secondsFromMs(row.ttftP50Ms);
    case ProviderTable::TtftP95Column:
        return secondsFromMs(row.ttftP95Ms);
    case ProviderTable::TokensColumn:
        return rate(row.tokensPerS);
    case ProviderTable::ErrorsColumn:
        return percent(row.errorRate);
    case ProviderTable::InFlightColumn:
        return QString::number(row.inFlight);
    case ProviderTable::BenchColumn:
        return row.benchedUntil ? clockText(*row.benchedUntil) : QString();
    default:
        return {};
    }
}

double number(std::optional<double> value)
{
    return value.value_or(-1.0);
}

QVariant rawValue(const ProviderRow& row, int column)
{
    switch (column) {
    case ProviderTable::ProviderColumn:
        return row.provider;
    case ProviderTable::StateColumn:
        return row.state.word;
    case ProviderTable::ShareColumn:
        return number(row.share);
    case ProviderTable::RateColumn:
        return row.rps;
    case ProviderTable::TtftColumn:
        return number(row.ttftP50Ms);
    case ProviderTable::TtftP95Column:
        return number(row.ttftP95Ms);
    case ProviderTable::TokensColumn:
        return number(row.tokensPerS);
    case ProviderTable::ErrorsColumn:
        return number(row.errorRate);
    case ProviderTable::InFlightColumn:
        return QVariant::fromValue(row.inFlight);
    case ProviderTable::BenchColumn:
        return QVariant::fromValue(row.benchedUntil ? epochMs(*row.benchedUntil) : 0);
    default:
        return {};
    }
}

/// Why a value is missing, or what it is made of. Plain text: the view shows it as such.
QString tip(const ProviderRow& row, int column)
{
    switch (column) {
    case ProviderTable::ProviderColumn:
        return row.key;
    case ProviderTable::StateColumn:
        return row.state.reasons.join(QChar('\n'));
    case ProviderTable::ErrorsColumn:
        return row.outcomes.isEmpty() ? QStringLiteral("no attempt in the last minute")
                                      : row.outcomes;
    case ProviderTable::ShareColumn:
        return row.share ? QStringLiteral("of the model's attempts of the last minute")
                         : QStringLiteral("no traffic in the last minute");
    case ProviderTable::TtftColumn:
    case ProviderTable::TtftP95Column:
        return row.ttftP50Ms ? QStringLiteral("time to first token over the last minute")
                             : QStringLiteral("nothing measured in the last minute");
    default:
        return {};
    }
}

QString accessibleText(const ProviderRow& row, int column)
{
    if (column == ProviderTable::SparkColumn) {
        return row.provider + QStringLiteral(": requests per second of the last 10 minutes, now ") +
               rate(row.rps);
    }
    const QString text = displayText(row, column);
    return text == unknown() ? QStringLiteral("unknown: ") + tip(row, column) : text;
}

} // namespace

std::vector<ProviderRow> providerRows(const ModelStatus& model, const History& history, UtcTime now)
{
    std::vector<ProviderRow> rows;
    for (const RouteStatus& route : model.routes) {
        ProviderRow row;
        row.key = plain(route.route);
        row.provider = plain(route.provider);
        const auto place = std::ranges::find(history.providers(), route.provider);
        row.colour = static_cast<int>(place - history.providers().begin());
        row.state = providerState(route, now);
        row.share = route.share1m;
        row.rps = route.rps1m;
        row.ttftP50Ms = route.ttftMs.p50;
        row.ttftP95Ms = route.ttftMs.p95;
        row.tokensPerS = route.tokensPerS.p50;
        row.errorRate = route.errorRate1m;
        row.outcomes = outcomesText(route);
        row.inFlight = route.inFlight;
        if (route.benchedUntil && *route.benchedUntil > now) row.benchedUntil = route.benchedUntil;
        row.spark = sparkOf(history, route.provider, epochMs(now));
        rows.push_back(std::move(row));
    }
    return rows;
}

void ProviderTable::apply(std::vector<ProviderRow> rows)
{
    const auto isGone = [&](const ProviderRow& row) {
        return std::ranges::find(rows, row.key, &ProviderRow::key) == rows.end();
    };
    for (int i = static_cast<int>(m_rows.size()) - 1; i >= 0; --i) {
        if (!isGone(m_rows[static_cast<std::size_t>(i)])) continue;
        beginRemoveRows({}, i, i);
        m_rows.erase(m_rows.begin() + i);
        endRemoveRows();
    }
    for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
        ProviderRow& wanted = rows[static_cast<std::size_t>(i)];
        const auto found = std::ranges::find(m_rows, wanted.key, &ProviderRow::key);
        const int at = static_cast<int>(found - m_rows.begin());
        if (found == m_rows.end()) {
            beginInsertRows({}, i, i);
            m_rows.insert(m_rows.begin() + i, std::move(wanted));
            endInsertRows();
            continue;
        }
        if (at != i) {
            beginMoveRows({}, at, at, {}, i);
            std::rotate(m_rows.begin() + i, m_rows.begin() + at, m_rows.begin() + at + 1);
            endMoveRows();
        }
        ProviderRow& row = m_rows[static_cast<std::size_t>(i)];
        if (row == wanted) continue;
        row = std::move(wanted);
        emit dataChanged(index(i, 0), index(i, ColumnCount - 1));
    }
}

int ProviderTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ProviderTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QVariant ProviderTable::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const ProviderRow& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return displayText(row, index.column());
    case Qt::ToolTipRole:
        return tip(row, index.column());
    case Qt::AccessibleTextRole:
        return accessibleText(row, index.column());
    case Qt::TextAlignmentRole: {
        const bool isText = index.column() <= StateColumn || index.column() == SparkColumn;
        return QVariant((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    case RawRole:
        return rawValue(row, index.column());
    case StateRole:
        return QVariant::fromValue(row.state);
    case ColourRole:
        return row.colour;
    case SparkRole:
        return QVariant::fromValue(QList<double>(row.spark.begin(), row.spark.end()));
    case KeyRole:
        return row.key;
    default:
        return {};
    }
}

QVariant ProviderTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const QStringList kNames{
        QStringLiteral("Provider"),
        QStringLiteral("State"),
        QStringLiteral("Share"),
        QStringLiteral("Req/s"),
        QStringLiteral("TTFT p50"),
        QStringLiteral("TTFT p95"),
        QStringLiteral("Tok/s"),
        QStringLiteral("Errors"),
        QStringLiteral("In flight"),
        QStringLiteral("Benched until"),
        QStringLiteral("Req/s, last 10 min")};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::DisplayRole) return kNames[section];
    if (role == Qt::TextAlignmentRole) {
        const bool isText = section <= StateColumn || section == SparkColumn;
        return QVariant((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    return {};
}

} // namespace weir::model
