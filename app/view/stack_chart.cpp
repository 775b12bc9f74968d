// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/stack_chart.h"

#include "app/view/pieces.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace weir::view {
namespace {

using Kind = model::PanelState::Kind;

constexpr qreal kLeft = 56;
constexpr qreal kLegend = 190;
constexpr qreal kBelow = 24;
constexpr qreal kAbove = 8;

/// The least of 1, 2, 5 times a power of ten that is not below.
double niceAbove(double value)
{
    const double power = std::pow(10.0, std::floor(std::log10(std::max(value, 1.0))));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (value <= step * power) return step * power;
    }
    return 10.0 * power;
}

} // namespace

StackChart::StackChart(const Theme& theme, const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setMinimumHeight(160);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(name);
}

void StackChart::show(const model::Stacks& bars, const model::PanelState& state)
{
    m_bars = bars;
    m_state = state;
    setAccessibleDescription(state.kind == Kind::Live ? bars.text : state.text);
    update();
}

QRectF StackChart::plot() const
{
    return QRectF(rect()).adjusted(kLeft, kAbove, -kLegend, -kBelow);
}

QColor StackChart::colourOf(std::size_t series) const
{
    if (m_bars.series[series].isFailure) return m_theme.ink(model::Tone::Critical);
    if (series < m_theme.providers.size()) return m_theme.provider(static_cast<int>(series));
    const bool isNext = series == m_theme.providers.size();
    return isNext ? m_theme.muted : m_theme.ink(model::Tone::Off);
}

void StackChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.accent, 1.5));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
    const QRectF box = plot();
    const bool hasBars = !m_bars.series.empty() && m_state.kind != Kind::Empty;
    if (!hasBars) {
        painter.setFont(uiFont());
        painter.setPen(m_theme.muted);
        const bool isLoading = m_state.kind == Kind::Loading;
        const QString text = isLoading ? QStringLiteral("Reading the ledger…") : m_state.text;
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, text);
        return;
    }
    double most = 0.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_bars.columns.size()); ++i)
        most = std::max(most, m_bars.sumOf(i));
    const double top = niceAbove(most);
    if (m_state.kind == Kind::Error) painter.setOpacity(0.45);
    paintAxis(painter, box, top);
    paintBars(painter, box, top);
    paintLegend(painter, box);
}

void StackChart::paintAxis(QPainter& painter, const QRectF& box, double top) const
{
    painter.setFont(uiFont(8.5));
    for (const double part : {0.0, 0.5, 1.0}) {
        const qreal y = box.bottom() - part * box.height();
        painter.setPen(m_theme.grid);
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
        painter.setPen(m_theme.muted);
        painter.drawText(
            QRectF(0, y - 10, kLeft - 8, 20),
            Qt::AlignRight | Qt::AlignVCenter,
            QString::number(top * part, 'g', 6));
    }
    const qreal width = box.width() / static_cast<qreal>(m_bars.columns.size());
    for (qsizetype i = 0; i < m_bars.columns.size(); i += m_bars.labelEvery) {
        const QRectF place(
            box.left() + width * static_cast<qreal>(i) - 30 + width / 2,
            box.bottom() + 4,
            60,
            kBelow - 4);
        painter.drawText(place, Qt::AlignCenter, m_bars.columns[i]);
    }
}

void StackChart::paintBars(QPainter& painter, const QRectF& box, double top) const
{
    const auto columns = static_cast<std::size_t>(m_bars.columns.size());
    const qreal width = box.width() / static_cast<qreal>(columns);
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < columns; ++i) {
        qreal bottom = box.bottom();
        for (std::size_t s = 0; s < m_bars.series.size(); ++s) {
            const qreal height = m_bars.series[s].values[i] / top * box.height();
            if (height <= 0.0) continue;
            painter.setBrush(colourOf(s));
            painter.drawRect(QRectF(
                box.left() + width * static_cast<qreal>(i) + width * 0.1,
                bottom - height,
                width * 0.8,
                height));
            bottom -= height;
        }
    }
}

void StackChart::paintLegend(QPainter& painter, const QRectF& box) const
{
    const QFont font = uiFont(9.0);
    painter.setFont(font);
    qreal top = box.top();
    // The topmost of the stack first.
    for (std::size_t s = m_bars.series.size(); s-- > 0;) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colourOf(s));
        painter.drawRoundedRect(QRectF(box.right() + 14, top + 4, 10, 10), 2.5, 2.5);
        painter.setPen(m_theme.text);
        const qreal room = kLegend - 36;
        painter.drawText(
            QRectF(box.right() + 30, top, room, 18),
            Qt::AlignLeft | Qt::AlignVCenter,
            elided(m_bars.series[s].name, font, room));
        top += 20;
    }
}

bool StackChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || m_bars.columns.isEmpty()) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QRectF box = plot();
    const qreal width = box.width() / static_cast<qreal>(m_bars.columns.size());
    const auto column = static_cast<qsizetype>(std::floor((help->pos().x() - box.left()) / width));
    if (column < 0 || column >= m_bars.columns.size()) {
        QToolTip::hideText();
        return true;
    }
    QStringList lines{m_bars.columns[column]};
    for (const model::StackSeries& series : m_bars.series) {
        const double value = series.values[static_cast<std::size_t>(column)];
        lines << series.name + QChar(' ') + QString::number(value, 'f', 0);
    }
    QToolTip::showText(help->globalPos(), plainToolTip(lines.join(QChar('\n'))), this);
    return true;
}

} // namespace weir::view
