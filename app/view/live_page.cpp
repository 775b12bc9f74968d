// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/live_page.h"

#include "app/model/format.h"
#include "app/view/pieces.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace weir::view {
namespace {

using Kind = model::PanelState::Kind;

const ChartSpec kShare{
    QStringLiteral("Traffic share"),
    model::Quantity::Share,
    true,
    100.0,
    QStringLiteral("%"),
    100.0};
const ChartSpec kTtft{
    QStringLiteral("Time to first token, p50"),
    model::Quantity::TtftP50S,
    false,
    1.0,
    QStringLiteral("s"),
    0.0};

Line* makeTitle(const Theme& theme, const QString& text, QWidget* parent)
{
    auto* title = new Line(uiFont(10.0, QFont::Medium), theme.text, parent);
    title->setText(text);
    return title;
}

TileView::Look lookOf(Kind kind)
{
    if (kind == Kind::Loading) return TileView::Look::Loading;
    const bool isOld = kind == Kind::Stale || kind == Kind::Error;
    return isOld ? TileView::Look::Stale : TileView::Look::Live;
}

} // namespace

LivePage::LivePage(const Theme& theme, model::Console& console, QWidget* parent)
    : Page(parent)
    , m_theme(theme)
    , m_console(console)
    , m_message(new MessageBar(theme, this))
    , m_alert(new MessageBar(theme, this))
    , m_tiles(new TileRow(theme, this))
    , m_models(new QComboBox(this))
    , m_modelRow(new QWidget(this))
    , m_providers(nullptr)
    , m_readout(new Readout(theme, console.chartFeed(), this))
{
    auto* models = new QHBoxLayout(m_modelRow);
    models->setContentsMargins(0, 0, 0, 0);
    models->addWidget(makeTitle(theme, QStringLiteral("Model"), m_modelRow));
    models->addWidget(m_models);
    models->addStretch(1);
    m_models->setAccessibleName(QStringLiteral("Model"));

    auto* charts = new QHBoxLayout;
    charts->setSpacing(10);
    charts->addWidget(makeChart(kShare), 5);
    charts->addWidget(makeChart(kTtft), 5);
    charts->addWidget(makeReadout(), 2);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(10);
    layout->addWidget(m_message);
    layout->addWidget(m_alert);
    layout->addWidget(m_modelRow);
    layout->addWidget(m_tiles);
    layout->addWidget(makeTable());
    layout->addLayout(charts, 1);

    connect(m_message, &MessageBar::actionWanted, &console, &model::Console::retryWanted);
    connect(m_models, &QComboBox::textActivated, &console, &model::Console::selectModel);
    refresh();
}

QWidget* LivePage::makeTable()
{
    auto* card = new Card(m_theme, this);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(4, 4, 4, 6);
    m_providers = new ProviderView(m_theme, m_console.models().table(), card);
    layout->addWidget(m_providers);
    return card;
}

QWidget* LivePage::makeChart(const ChartSpec& spec)
{
    auto* card = new Card(m_theme, this);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(14, 10, 6, 6);
    layout->setSpacing(4);
    layout->addWidget(makeTitle(m_theme, spec.title, card));
    auto* chart = new TimeChart(m_theme, m_console.chartFeed(), spec, card);
    layout->addWidget(chart, 1);
    m_charts.push_back(chart);
    return card;
}

QWidget* LivePage::makeReadout()
{
    auto* card = new Card(m_theme, this);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(14, 8, 10, 8);
    layout->addWidget(m_readout);
    return card;
}

void LivePage::refresh()
{
    const model::PanelState state = m_console.panel();
    refreshMessages(state);
    refreshModels();
    // Before the first answer there is nothing to dim: an error then shows the skeleton below it.
    const bool hasData = m_console.dataAge().has_value();
    const TileView::Look look = lookOf(state.kind);
    m_tiles->show(m_console.models().tiles(), hasData ? look : TileView::Look::Loading);
    m_providers->setDimmed(look == TileView::Look::Stale);
    m_providers->setNothingText(hasData ? state.text : QString());
    for (TimeChart* chart : m_charts)
        chart->refresh();
    m_readout->refresh();
}

void LivePage::refreshMessages(const model::PanelState& state)
{
    const bool isError = state.kind == Kind::Error;
    const bool isStale = state.kind == Kind::Stale;
    m_message->setVisible(isError || isStale);
    if (isError) {
        m_message->show(
            model::Glyph::Cross, model::Tone::Critical, state.text, QStringLiteral("Retry now"));
    } else if (isStale) {
        m_message->show(
            model::Glyph::Warning,
            model::Tone::Warning,
            state.text + QStringLiteral(": the agent's stream is open but sends nothing"),
            QString());
    }
    const auto alerts = m_console.alerts();
    m_alert->setVisible(!alerts.empty());
    if (alerts.empty()) return;
    const Alert& first = alerts.front();
    QString text = model::plain(first.text);
    if (!first.route.empty()) text = model::plain(first.route) + QStringLiteral(": ") + text;
    text += QStringLiteral(" · for ") + model::age(m_console.now() - first.since);
    if (alerts.size() > 1) text += QStringLiteral(" · and %1 more").arg(alerts.size() - 1);
    m_alert->show(model::Glyph::Warning, model::Tone::Warning, text, QString());
}

void LivePage::refreshModels()
{
    const QStringList names = m_console.models().names();
    m_modelRow->setVisible(names.size() > 1);
    if (m_models->count() != names.size()) {
        m_models->clear();
        m_models->addItems(names);
    }
    const QString selected = m_console.models().selected();
    if (m_models->currentText() != selected) m_models->setCurrentText(selected);
}

void LivePage::enter(const model::Place& place)
{
    if (!place.key.isEmpty()) m_console.selectModel(place.key);
    if (place.range) m_console.window().show(*place.range);
}

model::Place LivePage::place() const
{
    const auto& window = m_console.window();
    model::Place place{model::Place::Page::Live, m_console.models().selected(), std::nullopt};
    if (window.isPaused()) place.range = window.span(m_console.now());
    return place;
}

std::vector<QWidget*> LivePage::panes() const
{
    std::vector<QWidget*> panes{m_providers};
    panes.insert(panes.end(), m_charts.begin(), m_charts.end());
    return panes;
}

} // namespace weir::view
