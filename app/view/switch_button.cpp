// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/switch_button.h"

#include "app/view/glyphs.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace weir::view {

SwitchButton::SwitchButton(const Theme& theme, QWidget* parent)
    : QAbstractButton(parent)
    , m_theme(theme)
{
    setFont(uiFont(10.0, QFont::Medium));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    offer(Mode::Fixed);
}

void SwitchButton::offer(Mode target)
{
    const bool isOff = target == Mode::Fixed;
    const QString text = isOff ? QStringLiteral("Turn adaptive routing OFF…")
                               : QStringLiteral("Turn adaptive routing ON…");
    if (target == m_target && text == this->text()) return;
    m_target = target;
    setText(text);
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize SwitchButton::sizeHint() const
{
    const qreal words = QFontMetricsF(font()).horizontalAdvance(text());
    return {std::max(160, static_cast<int>(std::ceil(words)) + 46), 34};
}

void SwitchButton::paintEvent(QPaintEvent*)
{
    using model::Tone;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isFilled = m_target != Mode::Fixed;
    const QColor purple = m_theme.fill(Tone::Off);
    const QColor ink = isFilled ? m_theme.onFill(Tone::Off) : m_theme.text;
    QColor ground = isFilled ? purple : m_theme.card;
    if (underMouse() || isDown()) ground = isFilled ? purple.lighter(112) : m_theme.hover;
    const QRectF body = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setBrush(ground);
    painter.setPen(QPen(isFilled ? purple : m_theme.muted, 1.2));
    painter.drawRoundedRect(body, 6, 6);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_theme.accent, 2.0));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 7, 7);
    }
    const QRectF sign(15, (height() - 11) / 2.0, 11, 11);
    paintGlyph(painter, isFilled ? model::Glyph::Disc : model::Glyph::Square, sign, ink);
    painter.setPen(ink);
    painter.setFont(font());
    painter.drawText(body.adjusted(32, 0, -10, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
}

} // namespace weir::view
