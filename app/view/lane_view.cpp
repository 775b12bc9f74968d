// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/lane_view.h"

#include "app/model/incident_words.h"
#include "app/model/time_axis.h"
#include "app/view/glyphs.h"
#include "app/view/pieces.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace weir::view {
namespace {

constexpr int kLane = 22;
constexpr int kBar = 16;
constexpr int kAxis = 20;
constexpr int kNames = 108;
constexpr int kRight = 12;
constexpr qreal kSign = 9.0;
constexpr std::size_t kLeast = 2;

QPainterPath rounded(const QRectF& box)
{
    QPainterPath path;
    path.addRoundedRect(box, 4, 4);
    return path;
}

} // namespace

LaneView::LaneView(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    setAccessibleName(QStringLiteral("What happened when, by provider"));
}

void LaneView::follow(model::TimeWindow& window)
{
    m_window = &window;
    connect(&window, &model::TimeWindow::crosshairMoved, this, qOverload<>(&QWidget::update));
}

void LaneView::show(model::Span range, const std::vector<model::Lane>& lanes)
{
    const bool isOther = lanes.size() != m_lanes.size();
    m_range = range;
    m_lanes = lanes;
    QStringList words;
    for (const model::Lane& lane : m_lanes)
        words << model::laneText(lane);
    setAccessibleDescription(words.join(QStringLiteral(". ")));
    if (isOther) updateGeometry();
    update();
}

QSize LaneView::sizeHint() const
{
    const auto count = static_cast<int>(std::max(m_lanes.size(), kLeast));
    return {600, count * kLane + kAxis};
}

QSize LaneView::minimumSizeHint() const
{
    return {300, sizeHint().height()};
}

QRectF LaneView::track(std::size_t lane) const
{
    const qreal top = static_cast<qreal>(lane) * kLane + (kLane - kBar) / 2.0;
    return {qreal{kNames}, top, std::max(10.0, width() - qreal{kNames} - kRight), qreal{kBar}};
}

qreal LaneView::xAt(model::Ms time) const
{
    const QRectF box = track(0);
    const auto length = static_cast<double>(std::max<model::Ms>(1, m_range.length()));
    return box.left() + box.width() * static_cast<double>(time - m_range.from) / length;
}

QRectF LaneView::boxOf(std::size_t lane, const model::LaneSpan& span) const
{
    const QRectF whole = track(lane);
    // A short one would be no pixel wide, and it is the short ones that somebody looks for.
    const qreal least = span.key.isEmpty() ? 1.0 : 5.0;
    const qreal left = std::clamp(xAt(span.span.from), whole.left(), whole.right() - least);
    const qreal right = std::clamp(xAt(span.span.to), left + least, whole.right());
    return {left, whole.top(), right - left, whole.height()};
}

QPointF LaneView::pointOf(std::size_t lane, model::Ms time) const
{
    return {xAt(time), track(lane).center().y()};
}

const model::LaneSpan* LaneView::spanAt(const QPointF& point) const
{
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
        const auto& spans = m_lanes[lane].spans;
        for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
            if (boxOf(lane, *span).contains(point)) return &*span;
        }
    }
    return nullptr;
}

QString LaneView::textAt(const QPointF& point) const
{
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
        for (const model::LaneMark& mark : m_lanes[lane].marks) {
            if (QLineF(pointOf(lane, mark.time), point).length() < 8.0) {
                return model::stampText(mark.time) + QChar(' ') + mark.text;
            }
        }
    }
    const model::LaneSpan* span = spanAt(point);
    if (span == nullptr) return {};
    return model::stampText(span->span.from) + QChar(' ') + span->text;
}

void LaneView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxis(painter);
    for (std::size_t lane = 0; m_lanes.empty() && lane < kLeast; ++lane) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.skeleton);
        painter.drawRoundedRect(track(lane), 4, 4);
    }
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
        paintName(painter, lane);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.skeleton);
        painter.drawRoundedRect(track(lane), 4, 4);
        for (const model::LaneSpan& span : m_lanes[lane].spans)
            paintSpan(painter, boxOf(lane, span), span);
        paintMarks(painter, lane);
    }
    paintCrosshair(painter);
}

void LaneView::paintAxis(QPainter& painter) const
{
    if (m_lanes.empty() || m_range.length() <= 0) return;
    const auto bottom = static_cast<qreal>(m_lanes.size()) * kLane;
    const int most = std::max(2, static_cast<int>(track(0).width() / 90.0));
    painter.setFont(uiFont(8.5));
    for (const model::Tick& tick : model::timeTicks(m_range, most)) {
        const qreal x = xAt(static_cast<model::Ms>(tick.value));
        painter.setPen(m_theme.grid);
        painter.drawLine(QPointF(x, 0), QPointF(x, bottom));
        painter.setPen(m_theme.muted);
        const qreal left = std::min(x - 40, width() - 80.0);
        painter.drawText(QRectF(left, bottom, 80, kAxis), Qt::AlignCenter, tick.label);
    }
    painter.drawText(
        QRectF(0, bottom, 40, kAxis), Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("UTC"));
}

void LaneView::paintName(QPainter& painter, std::size_t lane) const
{
    const model::Lane& what = m_lanes[lane];
    QRectF box(0, track(lane).top(), kNames - 8, kBar);
    if (what.colour) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.provider(*what.colour));
        painter.drawRoundedRect(QRectF(0, box.center().y() - 5, 10, 10), 2.5, 2.5);
    }
    box.setLeft(16);
    const QFont font = uiFont(9.0, QFont::Medium);
    painter.setFont(font);
    painter.setPen(m_theme.text);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, elided(what.name, font, box.width()));
}

void LaneView::paintSpan(QPainter& painter, const QRectF& box, const model::LaneSpan& span) const
{
    const bool isQuiet = span.tone == model::Tone::Ok;
    QColor ground = isQuiet ? m_theme.ink(span.tone) : m_theme.fill(span.tone);
    if (isQuiet) ground.setAlphaF(m_theme.isDark ? 0.28F : 0.20F);
    painter.fillPath(rounded(box), ground);
    const QColor ink = isQuiet ? m_theme.text : m_theme.onFill(span.tone);
    if (box.width() < kSign + 8) return;
    const QRectF sign(box.left() + 5, box.center().y() - kSign / 2, kSign, kSign);
    paintGlyph(painter, span.glyph, sign, ink);
    const QFont font = uiFont(8.5, QFont::Medium);
    const qreal room = box.right() - sign.right() - 8;
    // Half a word says less than the sign alone.
    const QFontMetricsF metrics(font);
    QString words = span.text;
    if (metrics.horizontalAdvance(words) > room) words = words.section(QChar(','), 0, 0);
    if (metrics.horizontalAdvance(words) > room) return;
    painter.setFont(font);
    painter.setPen(ink);
    const QRectF place(sign.right() + 4, box.top(), room + 1, box.height());
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, words);
}

void LaneView::paintMarks(QPainter& painter, std::size_t lane) const
{
    for (const model::LaneMark& mark : m_lanes[lane].marks) {
        if (!m_range.contains(mark.time)) continue;
        const QPointF at = pointOf(lane, mark.time);
        painter.setPen(QPen(m_theme.card, 1.5));
        painter.setBrush(m_theme.card);
        painter.drawEllipse(at, 7.0, 7.0);
        const QRectF sign(at.x() - 4.5, at.y() - 4.5, 9, 9);
        paintGlyph(painter, mark.glyph, sign, m_theme.ink(mark.tone));
    }
}

void LaneView::paintCrosshair(QPainter& painter) const
{
    if (m_window == nullptr || !m_window->crosshair() || m_lanes.empty()) return;
    if (!m_range.contains(*m_window->crosshair())) return;
    const qreal x = std::round(xAt(*m_window->crosshair())) + 0.5;
    painter.setPen(QPen(m_theme.text, 1.0));
    painter.drawLine(QPointF(x, 0), QPointF(x, static_cast<qreal>(m_lanes.size()) * kLane));
}

void LaneView::mousePressEvent(QMouseEvent* event)
{
    const model::LaneSpan* span = spanAt(event->position());
    if (span != nullptr && !span->key.isEmpty()) emit opened(span->key);
}

void LaneView::mouseMoveEvent(QMouseEvent* event)
{
    const model::LaneSpan* span = spanAt(event->position());
    const bool isWay = span != nullptr && !span->key.isEmpty();
    setCursor(isWay ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (m_window == nullptr) return;
    const QRectF box = track(0);
    const qreal part = (event->position().x() - box.left()) / box.width();
    if (part < 0.0 || part > 1.0) return;
    const auto since = static_cast<model::Ms>(part * static_cast<double>(m_range.length()));
    m_window->pointAt((m_range.from + since) / 1000 * 1000);
}

void LaneView::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    if (m_window != nullptr) m_window->pointAt(std::nullopt);
}

bool LaneView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = textAt(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), plainToolTip(text), this);
    return true;
}

} // namespace weir::view
