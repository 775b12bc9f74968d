// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/message_bar.h"

#include "app/view/glyphs.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace weir::view {

MessageBar::MessageBar(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_text(new Line(uiFont(), theme.text, this))
    , m_action(new QPushButton(this))
{
    setFixedHeight(40);
    m_action->setAutoDefault(false);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(40, 0, 8, 0);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action);
    connect(m_action, &QPushButton::clicked, this, &MessageBar::actionWanted);
}

void MessageBar::show(
    model::Glyph glyph, model::Tone tone, const QString& text, const QString& action)
{
    m_glyph = glyph;
    m_tone = tone;
    m_text->setText(text);
    setAccessibleName(text);
    if (m_action->text() != action) m_action->setText(action);
    m_action->setAccessibleName(action);
    m_action->setVisible(!action.isEmpty());
    update();
}

void MessageBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor mark = m_theme.fill(m_tone);
    painter.setPen(m_theme.border);
    painter.setBrush(m_theme.card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mark);
    const QRectF disc(10, (height() - 22) / 2.0, 22, 22);
    painter.drawEllipse(disc);
    paintGlyph(painter, m_glyph, disc.adjusted(6, 6, -6, -6), m_theme.onFill(m_tone));
}

} // namespace weir::view
