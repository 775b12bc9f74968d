// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/incident_chip.h"

#include "app/view/glyphs.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace weir::view {
namespace {

constexpr int kHeight = 30;
constexpr qreal kPad = 10.0;
constexpr qreal kSign = 11.0;

} // namespace

IncidentChip::IncidentChip(const Theme& theme, QWidget* parent)
    : QAbstractButton(parent)
    , m_theme(theme)
{
    setFont(uiFont(9.5, QFont::Medium));
    setFixedHeight(kHeight);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setToolTip(QStringLiteral("Incidents, Ctrl+2"));
    hide();
}

void IncidentChip::show(const QString& text, bool isOpen)
{
    setVisible(!text.isEmpty());
    if (text == this->text() && isOpen == m_isOpen) return;
    m_isOpen = isOpen;
    setText(text);
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize IncidentChip::sizeHint() const
{
    const qreal words = QFontMetricsF(font()).horizontalAdvance(text());
    const qreal sign = m_isOpen ? kSign + 6.0 : 0.0;
    return {static_cast<int>(std::ceil(2 * kPad + sign + words)) + 1, kHeight};
}

void IncidentChip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(1, 1, -1, -1);
    QColor ground = m_isOpen ? m_theme.fill(model::Tone::Warning) : m_theme.card;
    if (!m_isOpen && underMouse()) ground = m_theme.hover;
    painter.setPen(hasFocus() ? QPen(m_theme.accent, 2.0) : QPen(m_theme.border, 1.0));
    painter.setBrush(ground);
    painter.drawRoundedRect(box, 6, 6);
    const QColor ink = m_isOpen ? m_theme.onFill(model::Tone::Warning) : m_theme.muted;
    QRectF words = box.adjusted(kPad - 1, 0, -kPad + 2, 0);
    if (m_isOpen) {
        const QRectF sign(words.left(), box.center().y() - kSign / 2, kSign, kSign);
        paintGlyph(painter, model::Glyph::Warning, sign, ink);
        words.setLeft(sign.right() + 6.0);
    }
    painter.setPen(ink);
    painter.setFont(font());
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, text());
}

} // namespace weir::view
