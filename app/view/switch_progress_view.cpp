// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/switch_progress_view.h"

#include "app/view/pieces.h"

#include <QFontMetricsF>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace weir::view {
namespace {

constexpr int kChipsShown = 24;
constexpr qreal kChipHeight = 24.0;
constexpr qreal kGap = 6.0;
constexpr qreal kBar = 6.0;

void setInk(QLabel& label, const QColor& ink)
{
    QPalette palette = label.palette();
    if (palette.color(QPalette::WindowText) == ink) return;
    palette.setColor(QPalette::WindowText, ink);
    label.setPalette(palette);
}

} // namespace

SwitchProgressView::SwitchProgressView(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_headline(makeParagraph(uiFont(13.0, QFont::Medium), theme.text, this))
    , m_detail(makeParagraph(uiFont(), theme.text, this))
    , m_room(new QWidget(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_headline);
    layout->addWidget(m_room);
    layout->addWidget(m_detail);
    layout->addStretch(1);
    m_room->setFixedHeight(48);
}

void SwitchProgressView::show(const model::SwitchProgress& progress)
{
    if (progress == m_progress) return;
    m_progress = progress;
    m_headline->setText(progress.headline);
    const bool isWarning = progress.tone == model::Tone::Warning;
    setInk(*m_headline, progress.isComplete ? m_theme.ink(model::Tone::Ok) : m_theme.text);
    m_detail->setText(progress.detail);
    m_detail->setVisible(!progress.detail.isEmpty());
    setInk(
        *m_detail, isWarning && m_theme.isDark ? m_theme.ink(model::Tone::Warning) : m_theme.text);
    setAccessibleName(progress.headline);
    setAccessibleDescription(progress.detail);
    update();
}

void SwitchProgressView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const QRectF room = m_room->geometry();
    const QRectF bar(room.left(), room.top(), room.width(), kBar);
    painter.setBrush(m_theme.skeleton);
    painter.drawRoundedRect(bar, 3, 3);
    const double part =
        m_progress.known > 0 ? static_cast<double>(m_progress.applied) / m_progress.known : 0.0;
    const bool isWarning = m_progress.tone == model::Tone::Warning;
    painter.setBrush(isWarning ? m_theme.fill(model::Tone::Warning) : m_theme.ink(model::Tone::Ok));
    if (part > 0.0)
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), bar.width() * part, kBar), 3, 3);

    const QFont font = uiFont(9.0, QFont::Medium);
    painter.setFont(font);
    qreal x = room.left();
    const qreal y = bar.bottom() + 10.0;
    int shown = 0;
    for (const auto& chip : m_progress.chips) {
        const QString text = chip.agent + QStringLiteral("  ") + chip.text;
        const qreal width = std::min(220.0, QFontMetricsF(font).horizontalAdvance(text) + 20.0);
        if (x + width > room.right() || ++shown > kChipsShown) break;
        const QRectF box(x, y, width, kChipHeight);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.fill(chip.tone));
        painter.drawRoundedRect(box, kChipHeight / 2, kChipHeight / 2);
        painter.setPen(m_theme.onFill(chip.tone));
        painter.drawText(
            box.adjusted(10, 0, -8, 0),
            Qt::AlignLeft | Qt::AlignVCenter,
            elided(text, font, width - 18));
        x += width + kGap;
    }
}

} // namespace weir::view
