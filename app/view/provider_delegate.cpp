// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/provider_delegate.h"

#include "app/model/provider_table.h"
#include "app/view/pieces.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace weir::view {
namespace {

using model::ProviderTable;

constexpr int kRowHeight = 34;
constexpr qreal kPad = 10.0;
constexpr qreal kStaleOpacity = 0.45;

} // namespace

ProviderDelegate::ProviderDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{
}

void ProviderDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool isChosen = (option.state & QStyle::State_Selected) != 0;
    const bool isHovered = (option.state & QStyle::State_MouseOver) != 0;
    if (isChosen || isHovered) painter->fillRect(option.rect, m_theme.hover);
    painter->fillRect(
        QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), m_theme.grid);
    if ((option.state & QStyle::State_HasFocus) != 0) {
        painter->setPen(QPen(m_theme.accent, 1.5));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -2), 4, 4);
    }
    if (m_isDimmed) painter->setOpacity(kStaleOpacity);
    const QRectF box = QRectF(option.rect).adjusted(kPad, 0, -kPad, 0);
    switch (index.column()) {
    case ProviderTable::ProviderColumn:
        paintName(*painter, box, index);
        break;
    case ProviderTable::StateColumn:
        paintState(*painter, box, index);
        break;
    case ProviderTable::SparkColumn:
        paintSpark(*painter, box, index);
        break;
    default:
        paintText(*painter, box, index);
        break;
    }
    painter->restore();
}

void ProviderDelegate::paintName(
    QPainter& painter, const QRectF& box, const QModelIndex& index) const
{
    const int colour = index.data(ProviderTable::ColourRole).toInt();
    const QRectF swatch(box.left(), box.center().y() - 5, 10, 10);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.provider(colour));
    painter.drawRoundedRect(swatch, 2.5, 2.5);
    const QFont font = uiFont(10.0, QFont::Medium);
    const QRectF words = box.adjusted(18, 0, 0, 0);
    painter.setFont(font);
    painter.setPen(m_theme.text);
    painter.drawText(
        words,
        Qt::AlignLeft | Qt::AlignVCenter,
        elided(index.data().toString(), font, words.width()));
}

void ProviderDelegate::paintState(
    QPainter& painter, const QRectF& box, const QModelIndex& index) const
{
    const auto state = index.data(ProviderTable::StateRole).value<model::ProviderState>();
    view::paintState(painter, box, m_theme, state.glyph, state.tone, state.word);
}

void ProviderDelegate::paintSpark(
    QPainter& painter, const QRectF& box, const QModelIndex& index) const
{
    const auto values = index.data(ProviderTable::SparkRole).value<QList<double>>();
    if (values.size() < 2) return;
    double top = 0.0;
    for (const double value : values) {
        if (std::isfinite(value)) top = std::max(top, value);
    }
    const QRectF area = box.adjusted(0, 7, 0, -8);
    painter.setPen(QPen(m_theme.grid, 1.0));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    if (top <= 0.0) return;
    const auto point = [&](qsizetype i) {
        const qreal x = area.left() + area.width() * static_cast<qreal>(i) /
                                          static_cast<qreal>(values.size() - 1);
        return QPointF(x, area.bottom() - area.height() * values[i] / top);
    };
    // Segment by segment: one wide antialiased polyline costs many times as much.
    QVector<QLineF> segments;
    for (qsizetype i = 1; i < values.size(); ++i) {
        const bool isKnown = std::isfinite(values[i - 1]) && std::isfinite(values[i]);
        if (isKnown) segments.append(QLineF(point(i - 1), point(i)));
    }
    QPen pen(m_theme.provider(index.data(ProviderTable::ColourRole).toInt()), 1.5);
    // Round ends would overlap and show as beads.
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    painter.drawLines(segments);
}

void ProviderDelegate::paintText(
    QPainter& painter, const QRectF& box, const QModelIndex& index) const
{
    const QFont font = uiFont();
    const QString text = index.data().toString();
    const bool isUnknown = text == QStringLiteral("—");
    painter.setFont(font);
    painter.setPen(isUnknown ? m_theme.muted : m_theme.text);
    painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, elided(text, font, box.width()));
}

QSize ProviderDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {80, kRowHeight};
}

bool ProviderDelegate::helpEvent(
    QHelpEvent* event,
    QAbstractItemView* view,
    const QStyleOptionViewItem& option,
    const QModelIndex& index)
{
    if (event->type() != QEvent::ToolTip) {
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    }
    // Reasons come from outside: shown as they are, never as markup.
    const QString tip = plainToolTip(index.data(Qt::ToolTipRole).toString());
    tip.isEmpty() ? QToolTip::hideText() : QToolTip::showText(event->globalPos(), tip, view);
    return true;
}

} // namespace weir::view
