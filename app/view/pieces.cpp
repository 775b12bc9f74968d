// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/pieces.h"

#include "app/view/glyphs.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QLineF>
#include <QPainter>
#include <QToolTip>
#include <QVector>

#include <algorithm>
#include <cmath>

namespace weir::view {
namespace {

constexpr qreal kCorner = 8.0;
constexpr qreal kChipPad = 12.0;
constexpr qreal kHatchStep = 7.0;

/// Amber, red and purple are read as grounds; green and grey as ink.
bool isFilled(model::Tone tone)
{
    return tone == model::Tone::Warning || tone == model::Tone::Critical ||
           tone == model::Tone::Off;
}

} // namespace

Card::Card(const Theme& theme, QWidget* parent)
    : QFrame(parent)
    , m_theme(theme)
{
    setFrameShape(QFrame::NoFrame);
}

void Card::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.border);
    painter.setBrush(m_theme.card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kCorner, kCorner);
}

Line::Line(const QFont& font, const QColor& colour, QWidget* parent)
    : QWidget(parent)
    , m_colour(colour)
{
    setFont(font);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void Line::setText(const QString& text)
{
    if (text == m_text) return;
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

void Line::setColour(const QColor& colour)
{
    if (colour == m_colour) return;
    m_colour = colour;
    update();
}

QSize Line::sizeHint() const
{
    const QFontMetricsF metrics(font());
    return {
        static_cast<int>(std::ceil(metrics.horizontalAdvance(m_text))) + 1,
        static_cast<int>(std::ceil(metrics.height()))};
}

QSize Line::minimumSizeHint() const
{
    return {20, sizeHint().height()};
}

void Line::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(m_colour);
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, elided(m_text, font(), width()));
}

bool Line::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && sizeHint().width() > width()) {
        QToolTip::showText(
            static_cast<QHelpEvent*>(event)->globalPos(), plainToolTip(m_text), this);
        return true;
    }
    return QWidget::event(event);
}

Chip::Chip(const Theme& theme, qreal points, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setFont(uiFont(points));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void Chip::show(model::Glyph glyph, model::Tone tone, const QString& strong, const QString& rest)
{
    const bool isSame = glyph == m_glyph && tone == m_tone && strong == m_strong && rest == m_rest;
    if (isSame) return;
    m_glyph = glyph;
    m_tone = tone;
    m_strong = strong;
    m_rest = rest;
    setAccessibleName(text());
    setToolTip(plainToolTip(text()));
    updateGeometry();
    update();
}

QSize Chip::sizeHint() const
{
    QFont bold = font();
    bold.setWeight(QFont::Bold);
    const QFontMetricsF metrics(font());
    const qreal glyph = metrics.capHeight() + 4.0;
    const qreal words =
        QFontMetricsF(bold).horizontalAdvance(m_strong) + metrics.horizontalAdvance(m_rest);
    return {
        static_cast<int>(std::ceil(2 * kChipPad + glyph + 6.0 + words)),
        static_cast<int>(std::ceil(metrics.height() * 1.75))};
}

QSize Chip::minimumSizeHint() const
{
    return {120, sizeHint().height()};
}

void Chip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.fill(m_tone));
    painter.drawRoundedRect(QRectF(rect()), height() / 2.0, height() / 2.0);

    const QColor ink = m_theme.onFill(m_tone);
    const QFontMetricsF metrics(font());
    const qreal size = metrics.capHeight() + 4.0;
    const QRectF sign(kChipPad, (height() - size) / 2.0, size, size);
    paintGlyph(painter, m_glyph, sign, ink);

    QFont bold = font();
    bold.setWeight(QFont::Bold);
    QRectF words = QRectF(rect()).adjusted(sign.right() + 6.0, 0, -kChipPad + 2.0, 0);
    painter.setPen(ink);
    painter.setFont(bold);
    painter.drawText(
        words, Qt::AlignLeft | Qt::AlignVCenter, elided(m_strong, bold, words.width()));
    words.setLeft(words.left() + QFontMetricsF(bold).horizontalAdvance(m_strong));
    if (words.width() < metrics.averageCharWidth()) return;
    painter.setFont(font());
    painter.drawText(
        words, Qt::AlignLeft | Qt::AlignVCenter, elided(m_rest, font(), words.width()));
}

QLabel* makeParagraph(const QFont& font, const QColor& colour, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setFont(font);
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, colour);
    label->setPalette(palette);
    return label;
}

void paintState(
    QPainter& painter,
    const QRectF& box,
    const Theme& theme,
    model::Glyph glyph,
    model::Tone tone,
    const QString& word)
{
    const QFont font = uiFont(9.5, QFont::Medium);
    const QFontMetricsF metrics(font);
    constexpr qreal kSign = 10.0;
    QColor ink = theme.ink(tone);
    qreal left = box.left();
    if (isFilled(tone)) {
        const qreal width = std::min(box.width(), kSign + 6 + metrics.horizontalAdvance(word) + 18);
        const QRectF chip(box.left() - 2, box.center().y() - 11, width, 22);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.fill(tone));
        painter.drawRoundedRect(chip, 11, 11);
        ink = theme.onFill(tone);
        left += 6;
    }
    paintGlyph(painter, glyph, QRectF(left, box.center().y() - kSign / 2, kSign, kSign), ink);
    const QRectF words(left + kSign + 6, box.top(), box.right() - left - kSign - 6, box.height());
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, elided(word, font, words.width()));
}

void paintHatch(QPainter& painter, const QRectF& box, const QColor& colour)
{
    painter.save();
    painter.setClipRect(box);
    painter.setPen(QPen(colour, 1.0));
    QVector<QLineF> strokes;
    const qreal first = std::floor((box.left() - box.height()) / kHatchStep) * kHatchStep;
    for (qreal x = first; x < box.right(); x += kHatchStep) {
        strokes.append(QLineF(x, box.bottom(), x + box.height(), box.top()));
    }
    painter.drawLines(strokes);
    painter.restore();
}

QString elided(const QString& text, const QFont& font, qreal width)
{
    return QFontMetricsF(font).elidedText(text, Qt::ElideRight, width);
}

QString plainToolTip(const QString& text)
{
    if (text.isEmpty()) return {};
    return QStringLiteral("<p style='white-space:pre-wrap'>") + text.toHtmlEscaped() +
           QStringLiteral("</p>");
}

QString noticeStyle(const Theme& theme, model::Tone tone)
{
    return QStringLiteral("QLabel{background:%1;color:%2;border-radius:6px;padding:9px 12px}")
        .arg(theme.fill(tone).name(), theme.onFill(tone).name());
}

QString commitStyle(const Theme& theme)
{
    return QStringLiteral(
               "QPushButton{background:%1;color:%2;border:1px solid %1;border-radius:6px;"
               "padding:8px 18px;font-weight:500}"
               "QPushButton:focus{border:2px solid %3;padding:7px 17px}"
               "QPushButton:disabled{background:%4;color:%5;border-color:%4}")
        .arg(
            theme.fill(model::Tone::Off).name(),
            theme.onFill(model::Tone::Off).name(),
            theme.text.name(),
            theme.skeleton.name(),
            theme.muted.name());
}

void setTextIfNew(QLabel& label, const QString& text)
{
    if (label.text() != text) label.setText(text);
    label.setVisible(!text.isEmpty());
}

} // namespace weir::view
