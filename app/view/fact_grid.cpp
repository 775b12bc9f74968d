// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/fact_grid.h"

#include "app/view/pieces.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace weir::view {
namespace {

constexpr qreal kGap = 22.0;
constexpr qreal kRow = 38.0;
constexpr int kWidest = 420;

QFont nameFont()
{
    return uiFont(8.5);
}

QFont valueFont()
{
    return uiFont(10.5, QFont::Medium);
}

} // namespace

FactGrid::FactGrid(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    fitHeight();
}

void FactGrid::show(const std::vector<std::pair<QString, QString>>& facts)
{
    if (facts == m_facts) return;
    m_facts = facts;
    QStringList words;
    for (const auto& [name, value] : m_facts)
        words << name + QChar(' ') + value;
    setAccessibleName(words.join(QStringLiteral(", ")));
    fitHeight();
    update();
}

std::vector<QRectF> FactGrid::boxes() const
{
    std::vector<QRectF> boxes;
    qreal x = 0.0;
    qreal y = 0.0;
    for (const auto& [name, value] : m_facts) {
        const qreal wanted = std::max(
            QFontMetricsF(nameFont()).horizontalAdvance(name),
            QFontMetricsF(valueFont()).horizontalAdvance(value));
        const qreal wide = std::min<qreal>(wanted + 1.0, std::min(kWidest, width()));
        if (x > 0.0 && x + wide > width()) {
            x = 0.0;
            y += kRow;
        }
        boxes.emplace_back(x, y, wide, kRow);
        x += wide + kGap;
    }
    return boxes;
}

void FactGrid::fitHeight()
{
    const auto all = boxes();
    setFixedHeight(static_cast<int>(all.empty() ? kRow : all.back().bottom()));
}

void FactGrid::resizeEvent(QResizeEvent*)
{
    fitHeight();
}

void FactGrid::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const auto all = boxes();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QRectF& box = all[i];
        painter.setFont(nameFont());
        painter.setPen(m_theme.muted);
        painter.drawText(
            QRectF(box.left(), box.top(), box.width(), 15),
            Qt::AlignLeft | Qt::AlignVCenter,
            m_facts[i].first);
        painter.setFont(valueFont());
        painter.setPen(m_theme.text);
        painter.drawText(
            QRectF(box.left(), box.top() + 15, box.width(), 18),
            Qt::AlignLeft | Qt::AlignVCenter,
            elided(m_facts[i].second, valueFont(), box.width()));
    }
}

bool FactGrid::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto all = boxes();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i].contains(help->pos())) continue;
        const QString text = m_facts[i].first + QStringLiteral(": ") + m_facts[i].second;
        QToolTip::showText(help->globalPos(), plainToolTip(text), this);
    }
    return true;
}

} // namespace weir::view
