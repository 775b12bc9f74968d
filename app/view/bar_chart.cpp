// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/bar_chart.h"

#include "app/model/format.h"
#include "app/view/pieces.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::view {
namespace {

using Kind = model::PanelState::Kind;

constexpr qreal kLeft = 60.0;
constexpr qreal kRight = 12.0;
constexpr qreal kTop = 12.0;
constexpr qreal kBottom = 24.0;
constexpr qreal kWidest = 56.0;
constexpr qreal kStaleOpacity = 0.45;
constexpr double kMicro = 1e6;

} // namespace

BarChart::BarChart(
    const Theme& theme, const model::CostBars& bars, const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_bars(bars)
{
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void BarChart::refresh(const model::PanelState& state)
{
    m_state = state;
    std::int64_t highest = 0;
    for (const model::CostBar& bar : m_bars.bars)
        highest = std::max(highest, bar.total());
    m_ticks = model::valueTicks(static_cast<double>(highest) / kMicro, 4, QString());
    setAccessibleDescription(text());
    update();
}

std::optional<std::size_t> BarChart::chosen() const
{
    if (!m_chosen) return std::nullopt;
    const auto found = std::ranges::find(m_bars.bars, *m_chosen, &model::CostBar::from);
    if (found == m_bars.bars.end()) return std::nullopt;
    return static_cast<std::size_t>(found - m_bars.bars.begin());
}

QString BarChart::text() const
{
    if (const auto bar = chosen()) return m_bars.textOf(m_bars.bars[*bar]);
    if (m_state.kind == Kind::Empty || m_bars.providers.empty()) return {};
    return QStringLiteral("Together ") + model::money(m_bars.total());
}

void BarChart::choose(std::optional<std::size_t> bar)
{
    const auto time = bar ? std::optional{m_bars.bars[*bar].from} : std::nullopt;
    if (time == m_chosen) return;
    m_chosen = time;
    setAccessibleDescription(text());
    update();
    emit chosenChanged();
}

bool BarChart::clearChoice()
{
    if (!m_chosen) return false;
    choose(std::nullopt);
    return true;
}

QRectF BarChart::plot() const
{
    return {
        kLeft,
        kTop,
        std::max(10.0, width() - kLeft - kRight),
        std::max(10.0, height() - kTop - kBottom)};
}

QRectF BarChart::slot(std::size_t bar) const
{
    const QRectF area = plot();
    const qreal step =
        area.width() / static_cast<double>(std::max<std::size_t>(1, m_bars.bars.size()));
    return {area.left() + step * static_cast<double>(bar), area.top(), step, area.height()};
}

void BarChart::mouseMoveEvent(QMouseEvent* event)
{
    const QRectF area = plot();
    if (m_bars.bars.empty() || !area.contains(event->position())) return choose(std::nullopt);
    const double part = (event->position().x() - area.left()) / area.width();
    const auto count = static_cast<double>(m_bars.bars.size());
    choose(static_cast<std::size_t>(std::clamp(part * count, 0.0, count - 1.0)));
}

void BarChart::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    choose(std::nullopt);
}

void BarChart::keyPressEvent(QKeyEvent* event)
{
    const bool isLeft = event->key() == Qt::Key_Left;
    if (m_bars.bars.empty() || (!isLeft && event->key() != Qt::Key_Right)) {
        return QWidget::keyPressEvent(event);
    }
    const std::size_t last = m_bars.bars.size() - 1;
    const auto now = chosen();
    if (!now) return choose(isLeft ? last : 0);
    if (isLeft) return choose(*now == 0 ? 0 : *now - 1);
    choose(std::min(*now + 1, last));
}

void BarChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_state.kind == Kind::Loading || m_bars.providers.empty()) {
        paintMessage(painter);
    } else {
        if (m_state.kind == Kind::Error) painter.setOpacity(kStaleOpacity);
        paintGrid(painter);
        paintBars(painter);
        paintTimes(painter);
        painter.setOpacity(1.0);
    }
    if (!hasFocus()) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.accent, 2.0));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
}

void BarChart::paintGrid(QPainter& painter) const
{
    const QRectF area = plot();
    if (const auto bar = chosen()) painter.fillRect(slot(*bar), m_theme.hover);
    painter.setFont(uiFont(8.5));
    for (const model::Tick& tick : m_ticks) {
        const qreal y =
            std::round(area.bottom() - area.height() * tick.value / m_ticks.back().value) + 0.5;
        painter.setPen(QPen(tick.value == 0.0 ? m_theme.border : m_theme.grid, 1.0));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(m_theme.muted);
        painter.drawText(
            QRectF(0, y - 9, area.left() - 7, 18),
            Qt::AlignRight | Qt::AlignVCenter,
            QChar('$') + tick.label);
    }
}

void BarChart::paintBars(QPainter& painter) const
{
    const double top = m_ticks.back().value * kMicro;
    QColor hatch = m_theme.card;
    hatch.setAlphaF(0.6F);
    for (std::size_t i = 0; i < m_bars.bars.size(); ++i) {
        const model::CostBar& bar = m_bars.bars[i];
        const QRectF room = slot(i);
        const qreal width = std::round(std::min(kWidest, room.width() * 0.72));
        const qreal left = std::round(room.center().x() - width / 2);
        qreal bottom = room.bottom();
        for (std::size_t p = 0; p < bar.costs.size(); ++p) {
            const qreal height = room.height() * static_cast<double>(bar.costs[p]) / top;
            if (height <= 0.0) continue;
            const QRectF part(left, bottom - height, width, height);
            painter.fillRect(part, m_theme.provider(static_cast<int>(p)));
            bottom -= height;
            // A thin line between neighbours, as between areas.
            if (height > 2.0) painter.fillRect(QRectF(left, bottom, width, 1.0), m_theme.card);
        }
        if (bar.isPartial) {
            paintHatch(painter, QRectF(left, bottom, width, room.bottom() - bottom), hatch);
        }
    }
}

void BarChart::paintTimes(QPainter& painter) const
{
    const QFont font = uiFont(8.5);
    painter.setFont(font);
    painter.setPen(m_theme.muted);
    const bool isDays = m_bars.step >= 86'400'000;
    const QString widest = isDays ? QStringLiteral("30 Nov") : QStringLiteral("00:00");
    const qreal need = QFontMetricsF(font).horizontalAdvance(widest) + 14.0;
    const qreal width = slot(0).width();
    constexpr std::array<model::Ms, 6> kEach{1, 2, 3, 6, 12, 24};
    const auto found = std::ranges::find_if(
        kEach, [&](model::Ms each) { return static_cast<double>(each) * width >= need; });
    const model::Ms each = found == kEach.end() ? kEach.back() : *found;
    for (std::size_t i = 0; i < m_bars.bars.size(); ++i) {
        const model::Ms from = m_bars.bars[i].from;
        if (from / m_bars.step % each != 0) continue;
        const QString moment = model::momentText(from);
        const QRectF room = slot(i);
        // An hour's label stands where it begins, a day's below its middle.
        const qreal x = isDays ? room.center().x() : room.left();
        painter.drawText(
            QRectF(x - 40, room.bottom() + 4, 80, 16),
            Qt::AlignCenter,
            isDays ? moment.left(moment.lastIndexOf(QChar(' '))) : moment.right(6).left(5));
    }
    painter.drawText(
        QRectF(5, plot().bottom() + 4, kLeft - 24, 16),
        Qt::AlignLeft | Qt::AlignVCenter,
        QStringLiteral("UTC"));
}

void BarChart::paintMessage(QPainter& painter) const
{
    const QRectF area = plot();
    if (m_state.kind == Kind::Loading) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.skeleton);
        painter.drawRoundedRect(area.adjusted(-30, 0, 0, 0), 6, 6);
        return;
    }
    painter.setFont(uiFont());
    painter.setPen(m_theme.muted);
    painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, m_state.text);
}

} // namespace weir::view
