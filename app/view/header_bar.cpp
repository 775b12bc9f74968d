// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/header_bar.h"

#include "app/model/format.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace weir::view {
namespace {

constexpr int kHeight = 56;
constexpr int kBand = 4;
constexpr Duration kFresh = std::chrono::seconds{3};

QColor bandColour(const Theme& theme, model::Band band)
{
    switch (band) {
    case model::Band::Red:
        return theme.ink(model::Tone::Critical);
    case model::Band::Amber:
        return theme.fill(model::Tone::Warning);
    case model::Band::Green:
        return theme.ink(model::Tone::Ok);
    case model::Band::Blue:
        return theme.accent;
    case model::Band::None:
        break;
    }
    return theme.card;
}

} // namespace

HeaderBar::HeaderBar(const Theme& theme, model::Console& console, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_console(console)
    , m_profile(new Line(uiFont(11.0, QFont::Bold), theme.text, this))
    , m_pill(new Chip(theme, 10.5, this))
    , m_facts(new Line(uiFont(), theme.text, this))
    , m_age(new Line(uiFont(), theme.muted, this))
    , m_pending(new Line(uiFont(), theme.muted, this))
    , m_incidents(new IncidentChip(theme, this))
    , m_range(new QComboBox(this))
    , m_live(new QToolButton(this))
    , m_switch(new SwitchButton(theme, this))
{
    setFixedHeight(kHeight);
    const auto& who = console.desk().who();
    m_profile->setText(who.profile + (who.isReadOnly ? QStringLiteral(" · read-only") : QString()));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 0, 16, 0);
    layout->setSpacing(12);
    layout->addWidget(m_profile);
    layout->addWidget(m_pill);
    layout->addWidget(m_facts);
    layout->addWidget(m_age);
    layout->addWidget(m_pending, 1);
    layout->addWidget(m_incidents);
    layout->addWidget(makeRange());
    layout->addWidget(m_switch);
    connect(m_incidents, &QAbstractButton::clicked, this, &HeaderBar::incidentsWanted);
    connect(m_switch, &QAbstractButton::clicked, this, &HeaderBar::switchWanted);
    refresh();
}

QWidget* HeaderBar::makeRange()
{
    auto* group = new QWidget(this);
    auto* layout = new QHBoxLayout(group);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_range);
    layout->addWidget(m_live);
    for (const auto& preset : model::TimeWindow::presets()) {
        m_range->addItem(QString::fromUtf8(preset.name), QVariant::fromValue(preset.length));
    }
    m_range->setAccessibleName(QStringLiteral("Time range of the charts"));
    m_range->setFixedHeight(30);
    m_live->setFixedHeight(30);
    m_live->setFont(uiFont(9.0, QFont::Medium));
    m_live->setFocusPolicy(Qt::StrongFocus);
    auto& window = m_console.window();
    connect(m_range, &QComboBox::currentIndexChanged, this, [this, &window](int index) {
        window.setLength(m_range->itemData(index).value<model::Ms>());
    });
    connect(m_live, &QToolButton::clicked, this, [this, &window] {
        window.isPaused() ? window.resume() : window.pause(m_console.now());
    });
    connect(&window, &model::TimeWindow::changed, this, &HeaderBar::refresh);
    return group;
}

void HeaderBar::stepRange(int direction)
{
    const int index = m_range->currentIndex() + direction;
    if (index >= 0 && index < m_range->count()) m_range->setCurrentIndex(index);
}

void HeaderBar::refresh()
{
    const model::HeaderState state = m_console.header();
    m_pill->show(state.glyph, state.tone, state.word, state.text().mid(state.word.size()));
    QString facts = state.agents;
    if (!state.version.isEmpty()) facts += QStringLiteral(" · switch ") + state.version;
    m_facts->setText(facts);
    m_facts->setColour(state.isEveryAgentHeard ? m_theme.text : m_theme.ink(model::Tone::Critical));
    const auto old = m_console.dataAge();
    m_age->setText(
        old ? QStringLiteral("data ") + model::age(*old) : QStringLiteral("no data yet"));
    m_age->setColour(old && *old > kFresh ? m_theme.ink(model::Tone::Critical) : m_theme.muted);

    const auto& desk = m_console.desk();
    const auto progress = desk.progress();
    const bool isPending =
        progress && !progress->isComplete && desk.phase() == model::SwitchDesk::Phase::Progress;
    m_pending->setText(isPending ? progress->headline : QString());
    const QString live = m_console.window().stateText(m_console.now());
    if (m_live->text() != live) {
        m_live->setText(live);
        m_live->setAccessibleName(live);
    }
    const model::IncidentWatch* watch = m_console.incidents();
    const bool isKnown = watch != nullptr && watch->open() != nullptr;
    m_incidents->show(isKnown ? watch->text() : QString(), isKnown && !watch->open()->empty());
    m_switch->offer(m_console.nextTarget());
}

void HeaderBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.card);
    painter.fillRect(QRect(0, height() - 1, width(), 1), m_theme.border);
    const QColor band = bandColour(m_theme, m_console.desk().who().band);
    painter.fillRect(QRect(0, 0, width(), kBand), band);
}

} // namespace weir::view
