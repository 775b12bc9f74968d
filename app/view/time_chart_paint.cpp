// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/format.h"
#include "app/view/glyphs.h"
#include "app/view/pieces.h"
#include "app/view/time_chart.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace weir::view {
namespace {

constexpr qreal kLabelGap = 15.0;

/// Moves wanted positions apart until each has room, keeping their order and the box.
std::vector<qreal> spreadOut(std::vector<qreal> wanted, qreal top, qreal bottom)
{
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const qreal least = i == 0 ? top : wanted[i - 1] + kLabelGap;
        wanted[i] = std::max(wanted[i], least);
    }
    qreal most = bottom;
    for (std::size_t i = wanted.size(); i-- > 0; most = wanted[i] - kLabelGap) {
        wanted[i] = std::min(wanted[i], most);
    }
    return wanted;
}

/// Turned on, turned off, and what went wrong or was provoked.
model::Tone toneOf(model::Glyph glyph)
{
    const bool isGood = glyph == model::Glyph::Disc || glyph == model::Glyph::Check;
    const bool isOff = glyph == model::Glyph::Square || glyph == model::Glyph::HalfSquare;
    if (isGood) return model::Tone::Ok;
    return isOff ? model::Tone::Off : model::Tone::Warning;
}

} // namespace

void TimeChart::paintEvent(QPaintEvent*)
{
    if (m_isDirty) renderCache();
    QPainter painter(viewport());
    painter.drawPixmap(0, 0, m_cache);
    paintCrosshair(painter);
    if (!hasFocus()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.accent, 2.0));
    painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1), 5, 5);
}

void TimeChart::renderCache()
{
    const qreal ratio = viewport()->devicePixelRatioF();
    m_cache = QPixmap(viewport()->size() * ratio);
    m_cache.setDevicePixelRatio(ratio);
    m_cache.fill(m_theme.card);
    QPainter painter(&m_cache);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!isLoading()) paintGrid(painter);
    painter.save();
    painter.setClipRect(plot());
    render(&painter, QRectF(viewport()->rect()), viewport()->rect());
    painter.restore();
    paintGaps(painter);
    paintAnnotations(painter);
    paintLabels(painter);
    paintMessage(painter);
    ++m_renderCount;
    m_isDirty = false;
}

bool TimeChart::isLoading() const
{
    const bool isFirst = m_feed.history().times().empty();
    return isFirst && m_feed.panel().kind == model::PanelState::Kind::Loading;
}

void TimeChart::paintGrid(QPainter& painter) const
{
    const QRectF area = plot();
    const QFont font = uiFont(8.5);
    painter.setFont(font);
    for (const model::Tick& tick : m_valueTicks) {
        const qreal y = std::round(yAt(tick.value)) + 0.5;
        painter.setPen(QPen(tick.value == 0.0 ? m_theme.border : m_theme.grid, 1.0));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(m_theme.muted);
        const QRectF box(0, y - 9, area.left() - 7, 18);
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    for (const model::Tick& tick : m_timeTicks) {
        const qreal x = std::round(xAt(static_cast<model::Ms>(tick.value))) + 0.5;
        painter.setPen(QPen(m_theme.grid, 1.0));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(m_theme.muted);
        painter.drawText(QRectF(x - 40, area.bottom() + 4, 80, 16), Qt::AlignCenter, tick.label);
    }
    painter.setPen(m_theme.muted);
    painter.drawText(
        QRectF(0, area.bottom() + 4, area.left() - 30, 16),
        Qt::AlignLeft | Qt::AlignVCenter,
        QStringLiteral("UTC"));
}

void TimeChart::paintGaps(QPainter& painter) const
{
    const QRectF area = plot();
    const QFont font = uiFont(8.5);
    QColor hatch = m_theme.muted;
    hatch.setAlphaF(0.24F);
    // A message over the whole chart says it better.
    const bool isSilent = m_feed.panel().kind == model::PanelState::Kind::Empty;
    for (const model::Span& gap : m_gaps) {
        // Whole pixels outward: an area bridges missing values, and none of it may show.
        const qreal left = std::max(area.left(), std::floor(xAt(gap.from)));
        const qreal right = std::min(area.right(), std::ceil(xAt(gap.to)));
        const QRectF box(left, area.top(), right - left, area.height());
        painter.fillRect(box, m_theme.card);
        paintHatch(painter, box, hatch);
        if (box.width() < 64.0 || isSilent) continue;
        const QString words = QStringLiteral("no data");
        const qreal width = QFontMetricsF(font).horizontalAdvance(words) + 12.0;
        const QRectF ground(box.center().x() - width / 2, box.center().y() - 9, width, 18);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.card);
        painter.drawRoundedRect(ground, 4, 4);
        painter.setPen(m_theme.muted);
        painter.setFont(font);
        painter.drawText(ground, Qt::AlignCenter, words);
    }
    painter.setBrush(Qt::NoBrush);
}

void TimeChart::paintAnnotations(QPainter& painter) const
{
    const QRectF area = plot();
    const QFont font = uiFont(8.5, QFont::Medium);
    const QFontMetricsF metrics(font);
    const auto& marks = m_feed.annotations();
    for (std::size_t i = 0; i < marks.size(); ++i) {
        if (!m_range.contains(marks[i].time)) continue;
        const qreal x = std::round(xAt(marks[i].time)) + 0.5;
        const QColor ink = m_theme.ink(toneOf(marks[i].glyph));
        QPen pen(ink, 1.0);
        pen.setDashPattern({3, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        paintGlyph(painter, marks[i].glyph, QRectF(x - 4.5, area.top() - 11, 9, 9), ink);
        const qreal next = i + 1 < marks.size() ? xAt(marks[i + 1].time) - 8 : area.right();
        const qreal room = std::min(next, area.right()) - x - 8;
        if (room < std::min(60.0, metrics.horizontalAdvance(marks[i].text))) continue;
        painter.setPen(m_theme.muted);
        painter.setFont(font);
        painter.drawText(
            QRectF(x + 8, area.top() - 14, room, 14),
            Qt::AlignLeft | Qt::AlignVCenter,
            elided(marks[i].text, font, room));
    }
}

void TimeChart::paintLabels(QPainter& painter) const
{
    if (!m_spec.isLabelled) return;
    const auto& providers = m_feed.history().providers();
    std::vector<std::size_t> order;
    for (std::size_t p = 0; p < m_labelValues.size(); ++p) {
        if (std::isfinite(m_labelValues[p])) order.push_back(p);
    }
    std::ranges::sort(order, std::greater{}, [&](std::size_t p) { return m_labelValues[p]; });
    std::vector<qreal> wanted;
    for (const std::size_t p : order)
        wanted.push_back(yAt(m_labelValues[p]));
    const QRectF area = plot();
    const auto places = spreadOut(wanted, area.top() + 6, area.bottom() - 6);
    const QFont font = uiFont(9.0, QFont::Medium);
    painter.setFont(font);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const QColor colour = m_theme.provider(static_cast<int>(order[i]));
        painter.setPen(QPen(colour, 1.5));
        painter.drawLine(
            QPointF(area.right() + 2, wanted[i]), QPointF(area.right() + 8, places[i]));
        painter.setPen(colour);
        const QRectF box(
            area.right() + 11, places[i] - 9, viewport()->width() - area.right() - 13, 18);
        const QString name = model::plain(providers[order[i]]);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, elided(name, font, box.width()));
    }
}

void TimeChart::paintMessage(QPainter& painter) const
{
    const model::PanelState state = m_feed.panel();
    const QRectF area = plot();
    if (isLoading()) {
        painter.fillRect(area, m_theme.card);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.skeleton);
        painter.drawRoundedRect(area.adjusted(-30, 0, 60, 0), 6, 6);
        return;
    }
    if (state.kind != model::PanelState::Kind::Empty) return;
    painter.setFont(uiFont());
    painter.setPen(m_theme.muted);
    painter.drawText(area.adjusted(10, 0, -10, 0), Qt::AlignCenter | Qt::TextWordWrap, state.text);
}

void TimeChart::paintCrosshair(QPainter& painter) const
{
    const auto time = m_feed.window->crosshair();
    if (!time || !m_range.contains(*time)) return;
    const QRectF area = plot();
    const qreal x = std::round(xAt(*time)) + 0.5;
    painter.setPen(QPen(m_theme.muted, 1.0));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    if (m_spec.isStacked) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const model::History& history = m_feed.history();
    for (std::size_t p = 0; p < history.providers().size(); ++p) {
        const double value = history.valueAt(p, m_spec.quantity, *time) * m_spec.factor;
        if (!std::isfinite(value) || !isShown(p)) continue;
        painter.setPen(QPen(m_theme.card, 1.5));
        painter.setBrush(m_theme.provider(static_cast<int>(p)));
        painter.drawEllipse(QPointF(x, yAt(value)), 4.0, 4.0);
    }
}

} // namespace weir::view
