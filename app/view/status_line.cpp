// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/status_line.h"

#include "app/model/format.h"
#include "app/view/glyphs.h"

#include <QHBoxLayout>
#include <QPainter>

namespace weir::view {
namespace {

constexpr int kGlyph = 9;

QString words(const model::Reach& reach)
{
    switch (reach.state) {
    case model::Reach::State::Reached:
        return QString::number(reach.latencyMs, 'f', reach.latencyMs < 10.0 ? 1 : 0) +
               QStringLiteral(" ms");
    case model::Reach::State::Lost:
        return reach.trouble;
    case model::Reach::State::Waiting:
        break;
    }
    return reach.trouble.isEmpty() ? QStringLiteral("connecting…") : reach.trouble;
}

} // namespace

ReachLabel::ReachLabel(const Theme& theme, QString caption, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_caption(std::move(caption))
    , m_text(new Line(uiFont(9.0), theme.muted, this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kGlyph + 7, 0, 0, 0);
    layout->addWidget(m_text);
}

void ReachLabel::show(const model::Reach& reach)
{
    m_state = reach.state;
    const bool isLost = reach.state == model::Reach::State::Lost;
    QString name = m_caption;
    if (!reach.name.isEmpty()) name += QChar(' ') + reach.name;
    m_text->setText(name + QStringLiteral("  ") + words(reach));
    m_text->setColour(isLost ? m_theme.ink(model::Tone::Critical) : m_theme.muted);
    setAccessibleName(m_text->text());
    update();
}

void ReachLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QRectF box(0, (height() - kGlyph) / 2.0, kGlyph, kGlyph);
    switch (m_state) {
    case model::Reach::State::Reached:
        paintGlyph(painter, model::Glyph::Disc, box, m_theme.ink(model::Tone::Ok));
        break;
    case model::Reach::State::Lost:
        paintGlyph(painter, model::Glyph::Cross, box, m_theme.ink(model::Tone::Critical));
        break;
    case model::Reach::State::Waiting:
        paintGlyph(painter, model::Glyph::Circle, box, m_theme.muted);
        break;
    }
}

StatusLine::StatusLine(const Theme& theme, model::Console& console, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_console(console)
    , m_store(new ReachLabel(theme, QStringLiteral("Store"), this))
    , m_agent(new ReachLabel(theme, QStringLiteral("Agent"), this))
    , m_clock(new Line(monoFont(9.0), theme.text, this))
{
    setFixedHeight(28);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 0, 16, 0);
    layout->setSpacing(24);
    layout->addWidget(m_store);
    layout->addWidget(m_agent);
    layout->addStretch(1);
    layout->addWidget(m_clock);
    refresh();
}

void StatusLine::refresh()
{
    m_store->show(m_console.storeReach());
    m_agent->show(m_console.agentReach());
    m_clock->setText(model::clockText(m_console.now()));
}

void StatusLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.card);
    painter.fillRect(QRect(0, 0, width(), 1), m_theme.border);
}

} // namespace weir::view
