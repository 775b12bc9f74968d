// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/experiments_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace weir::view {
namespace {

using Kind = model::PanelState::Kind;
using model::Place;

constexpr int kDay = 24;
constexpr int kWeek = 7 * 24;
constexpr model::Ms kHour = 3'600'000;

void showState(GridView* table, const model::PanelState& state)
{
    const bool isError = state.kind == Kind::Error;
    table->setNothingText(isError ? QStringLiteral("Not read.") : state.text);
    table->setDimmed(isError);
}

} // namespace

ExperimentsPage::ExperimentsPage(const Theme& theme, model::Console& console, QWidget* parent)
    : Page(parent)
    , m_theme(theme)
    , m_console(console)
    , m_experiments(console)
    , m_message(new MessageBar(theme, this))
    , m_range(new QComboBox(this))
    , m_tiles(new TileRow(theme, this))
    , m_shadowText(makeParagraph(uiFont(9.0), theme.muted, this))
    , m_mirrorText(new Line(uiFont(9.0), theme.muted, this))
{
    m_range->addItem(QStringLiteral("Last 24 hours"), kDay);
    m_range->addItem(QStringLiteral("Last 7 days"), kWeek);
    m_range->setAccessibleName(QStringLiteral("Time range of experiments"));
    auto* top = new QHBoxLayout;
    top->addWidget(m_range);
    top->addWidget(m_shadowText, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(10);
    layout->addWidget(m_message);
    layout->addLayout(top);
    layout->addWidget(m_tiles);
    m_shadow = addTable(
        QStringLiteral("Shadow mode: what would have gone elsewhere"),
        m_experiments.shadow(),
        nullptr);
    m_mirror = addTable(
        QStringLiteral("Mirror: copies of requests, answered twice"),
        m_experiments.mirror(),
        m_mirrorText);
    m_evals =
        addTable(QStringLiteral("Eval runs, the newest first"), m_experiments.evals(), nullptr);
    connect(m_range, &QComboBox::activated, this, [this](int index) {
        m_experiments.show(std::chrono::hours{m_range->itemData(index).toInt()});
    });
    connect(&m_experiments, &model::Experiments::changed, this, &ExperimentsPage::refresh);
    connect(m_message, &MessageBar::actionWanted, &m_experiments, &model::Experiments::read);
    connect(m_mirror, &GridView::chosenChanged, this, &ExperimentsPage::refresh);
    connect(m_shadow, &GridView::opened, this, [this](const QString& key) {
        m_console.go({Place::Page::Providers, model::nameIn(key), std::nullopt});
    });
    for (GridView* table : {m_mirror, m_evals}) {
        connect(table, &GridView::opened, this, [this](const QString& key) {
            m_console.go({Place::Page::Tasks, model::nameIn(key), std::nullopt});
        });
    }
    refresh();
}

GridView* ExperimentsPage::addTable(const QString& title, model::Grid& grid, QWidget* below)
{
    auto* card = new Card(m_theme, this);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(4, 8, 4, 6);
    layout->setSpacing(2);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(10, 0, 10, 0);
    auto* name = new Line(uiFont(10.0, QFont::Medium), m_theme.text, card);
    name->setText(title);
    head->addWidget(name);
    layout->addLayout(head);
    auto* table = new GridView(m_theme, grid, title, card);
    layout->addWidget(table, 1);
    if (below != nullptr) {
        auto* foot = new QHBoxLayout;
        foot->setContentsMargins(10, 2, 10, 2);
        foot->addWidget(below);
        layout->addLayout(foot);
    }
    static_cast<QVBoxLayout*>(this->layout())->addWidget(card, 1);
    return table;
}

void ExperimentsPage::refresh()
{
    m_experiments.refresh();
    const int index = m_range->findData(static_cast<int>(m_experiments.length().count()));
    if (m_range->currentIndex() != index) m_range->setCurrentIndex(index);
    refreshMessage();
    const model::PanelState state = m_experiments.shadowPanel();
    const bool isStale = state.kind == Kind::Error;
    const bool isLoading = state.kind == Kind::Loading;
    m_tiles->show(
        m_experiments.tiles(),
        isLoading ? TileView::Look::Loading
        : isStale ? TileView::Look::Stale
                  : TileView::Look::Live);
    m_shadowText->setText(m_experiments.shadowText());
    showState(m_shadow, state);
    showState(m_mirror, m_experiments.mirrorPanel());
    showState(m_evals, m_experiments.evalPanel());
    m_mirrorText->setText(m_experiments.mirrorText(m_mirror->chosen()));
    m_mirrorText->setVisible(!m_mirrorText->text().isEmpty());
}

void ExperimentsPage::refreshMessage()
{
    model::PanelState state = m_experiments.shadowPanel();
    for (const model::PanelState& other :
         {m_experiments.mirrorPanel(), m_experiments.evalPanel()}) {
        if (state.kind != Kind::Error) state = other;
    }
    const bool isError = state.kind == Kind::Error;
    m_message->setVisible(isError);
    if (!isError) return;
    m_message->show(
        model::Glyph::Cross, model::Tone::Critical, state.text, QStringLiteral("Retry now"));
}

void ExperimentsPage::enter(const Place& place)
{
    auto length = m_experiments.length();
    if (place.range) {
        length = std::chrono::hours{place.range->length() > kDay * kHour ? kWeek : kDay};
    }
    m_experiments.show(length);
}

Place ExperimentsPage::place() const
{
    return {Place::Page::Experiments, QString(), std::nullopt};
}

std::vector<QWidget*> ExperimentsPage::panes() const
{
    return {m_shadow, m_mirror, m_evals};
}

} // namespace weir::view
