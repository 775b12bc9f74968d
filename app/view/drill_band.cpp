// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/drill_band.h"

#include "app/view/glyphs.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace weir::view {
namespace {

constexpr int kHeight = 40;
constexpr qreal kStripe = 14.0;

} // namespace

DrillBand::DrillBand(const Theme& theme, model::Console& console, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_console(console)
    , m_watch(console)
    , m_text(new Line(uiFont(10.0, QFont::Medium), theme.onFill(model::Tone::Off), this))
    , m_end(new QPushButton(QStringLiteral("End drill now…"), this))
{
    setFixedHeight(kHeight);
    m_end->setAutoDefault(false);
    m_end->setAccessibleName(m_end->text());
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(48, 0, 16, 0);
    layout->addWidget(m_text);
    layout->addStretch(1);
    layout->addWidget(m_end);
    connect(m_end, &QPushButton::clicked, this, [this] { emit endWanted(m_drill); });
    connect(&m_watch, &model::DrillWatch::changed, this, [this] { show(m_watch.running()); });
    hide();
}

void DrillBand::refresh()
{
    m_watch.refresh();
    show(m_watch.running());
}

void DrillBand::show(const std::vector<model::RunningDrill>& running)
{
    setVisible(!running.empty());
    if (running.empty()) return;
    m_drill = running.front().drill;
    QString text = running.front().text(m_console.now());
    if (running.size() > 1) text += QStringLiteral(" · and %1 more").arg(running.size() - 1);
    m_text->setText(text);
    setAccessibleName(text);
    m_end->setEnabled(!running.front().isEnding);
}

void DrillBand::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QColor ground = m_theme.fill(model::Tone::Off);
    const QColor ink = m_theme.onFill(model::Tone::Off);
    painter.fillRect(rect(), ground);
    painter.setRenderHint(QPainter::Antialiasing);
    // The words stand on the plain ground.
    const QRectF words(m_text->geometry().adjusted(-8, 0, 8, 0));
    painter.save();
    painter.setClipRegion(
        QRegion(rect()).subtracted(QRegion(words.toRect().adjusted(0, -20, 0, 20))));
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.isDark ? ground.darker(130) : ground.lighter(135));
    for (qreal x = -kHeight; x < width(); x += 2 * kStripe) {
        painter.drawPolygon(QPolygonF{
            {{x, qreal(height())},
             {x + kStripe, qreal(height())},
             {x + kStripe + kHeight, 0.0},
             {x + kHeight, 0.0}}});
    }
    painter.restore();
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    const QRectF disc(12, (height() - 24) / 2.0, 24, 24);
    painter.drawEllipse(disc);
    paintGlyph(painter, model::Glyph::Warning, disc.adjusted(5, 5, -5, -5), ink);
}

} // namespace weir::view
