// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/providers_page.h"

#include "app/model/drill_deed.h"
#include "app/model/format.h"
#include "app/model/route_deed.h"
#include "app/view/drill_form.h"
#include "app/view/pieces.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace weir::view {
namespace {

using Kind = model::PanelState::Kind;

const ChartSpec kPermitted{
    QStringLiteral("Permitted rate"),
    model::Quantity::PermittedRps,
    false,
    1.0,
    QStringLiteral("/s"),
    0.0};
const ChartSpec kUsed{
    QStringLiteral("Requests a second"),
    model::Quantity::Rps,
    false,
    1.0,
    QStringLiteral("/s"),
    0.0};

Line* makeTitle(const Theme& theme, const QString& text, QWidget* parent)
{
    auto* title = new Line(uiFont(10.0, QFont::Medium), theme.text, parent);
    title->setText(text);
    return title;
}

QPushButton* makeButton(const QString& text, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setAutoDefault(false);
    button->setAccessibleName(text);
    button->setMinimumHeight(30);
    return button;
}

void setButton(QPushButton& button, const QString& text, bool isEnabled, const QString& why)
{
    if (button.text() != text) {
        button.setText(text);
        button.setAccessibleName(text);
    }
    // The style leaves a long text no air.
    button.setMinimumWidth(QFontMetrics(button.font()).horizontalAdvance(text) + 32);
    button.setEnabled(isEnabled);
    button.setToolTip(plainToolTip(why));
}

} // namespace

ProvidersPage::ProvidersPage(const Theme& theme, model::Console& console, QWidget* parent)
    : Page(parent)
    , m_theme(theme)
    , m_console(console)
    , m_model(console)
    , m_message(new MessageBar(theme, this))
    , m_modelRow(new QWidget(this))
    , m_models(new QComboBox(m_modelRow))
    , m_switch(makeButton(QStringLiteral("Switch off…"), this))
    , m_drill(makeButton(QStringLiteral("Start a drill…"), this))
    , m_end(makeButton(QStringLiteral("End drill now…"), this))
    , m_routes(nullptr)
    , m_stack(new QStackedWidget(this))
    , m_facts(nullptr)
{
    auto* card = new Card(theme, this);
    auto* cardLayout = new QVBoxLayout(card);
    cardLayout->setContentsMargins(4, 4, 4, 6);
    m_routes = new GridView(theme, m_model.routes(), QStringLiteral("Routes of the model"), card);
    m_routes->fitRows(2, 6);
    cardLayout->addWidget(m_routes);
    m_stack->addWidget(makeDetail());
    m_stack->addWidget(makeReport());

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(10);
    layout->addWidget(m_message);
    layout->addLayout(makeTop());
    layout->addWidget(card);
    layout->addWidget(m_stack, 1);

    connect(m_message, &MessageBar::actionWanted, this, [this] {
        emit m_console.retryWanted();
        m_model.read();
    });
    connect(m_models, &QComboBox::textActivated, &console, &model::Console::selectModel);
    connect(m_routes, &GridView::chosenChanged, this, [this](const QString& key) {
        if (key.isEmpty() || key == m_model.chosen()) return;
        m_model.choose(key);
        refresh();
    });
    connect(m_routes, &GridView::opened, this, [this] { m_facts->setFocus(Qt::OtherFocusReason); });
    connect(m_switch, &QPushButton::clicked, this, &ProvidersPage::openSwitch);
    connect(m_drill, &QPushButton::clicked, this, &ProvidersPage::openDrill);
    connect(m_end, &QPushButton::clicked, this, &ProvidersPage::openEnd);
    connect(&m_model, &model::Providers::changed, this, &ProvidersPage::refresh);
    refresh();
}

QHBoxLayout* ProvidersPage::makeTop()
{
    auto* models = new QHBoxLayout(m_modelRow);
    models->setContentsMargins(0, 0, 0, 0);
    models->addWidget(makeTitle(m_theme, QStringLiteral("Model"), m_modelRow));
    models->addWidget(m_models);
    m_models->setAccessibleName(QStringLiteral("Model"));
    auto* top = new QHBoxLayout;
    top->setSpacing(8);
    top->addWidget(m_modelRow);
    top->addStretch(1);
    top->addWidget(m_switch);
    top->addWidget(m_drill);
    return top;
}

QWidget* ProvidersPage::makeDetail()
{
    auto* detail = new QWidget(m_stack);
    auto* card = new Card(m_theme, detail);
    auto* cardLayout = new QVBoxLayout(card);
    cardLayout->setContentsMargins(4, 4, 4, 4);
    m_facts = new FactView(m_theme, QStringLiteral("All about the provider"), card);
    cardLayout->addWidget(m_facts);
    auto* right = new QVBoxLayout;
    right->setSpacing(10);
    right->addWidget(makeChart(kPermitted, m_model.rateFeed()), 3);
    right->addWidget(makeChart(kUsed, m_console.chartFeed()), 3);
    right->addWidget(makeDrills(), 3);
    auto* layout = new QHBoxLayout(detail);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(card, 1);
    layout->addLayout(right, 1);
    return detail;
}

QWidget* ProvidersPage::makeChart(const ChartSpec& spec, const model::ChartFeed& feed)
{
    auto* card = new Card(m_theme, this);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(14, 8, 6, 4);
    layout->setSpacing(2);
    layout->addWidget(makeTitle(m_theme, spec.title, card));
    auto* chart = new TimeChart(m_theme, feed, spec, card);
    chart->setMinimumHeight(120);
    layout->addWidget(chart, 1);
    m_charts.push_back(chart);
    return card;
}

QWidget* ProvidersPage::makeDrills()
{
    auto* card = new Card(m_theme, this);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(4, 6, 4, 6);
    layout->setSpacing(2);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(10, 0, 6, 0);
    top->addWidget(makeTitle(m_theme, QStringLiteral("Drills of this model"), card), 1);
    top->addWidget(m_end);
    layout->addLayout(top);
    m_drills = new GridView(m_theme, m_model.drills(), QStringLiteral("Drills"), card);
    layout->addWidget(m_drills, 1);
    connect(m_drills, &GridView::opened, this, [this](const QString& id) {
        m_console.go({model::Place::Page::Providers, id, std::nullopt});
    });
    connect(m_drills, &GridView::chosenChanged, this, [this] { refreshActions(); });
    return card;
}

QWidget* ProvidersPage::makeReport()
{
    auto* card = new Card(m_theme, m_stack);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(14, 12, 14, 10);
    layout->setSpacing(8);
    m_back = makeButton(QStringLiteral("Back   Esc"), card);
    m_reportTitle = makeParagraph(uiFont(12.0, QFont::Medium), m_theme.text, card);
    m_reportText = makeParagraph(uiFont(), m_theme.text, card);
    m_reportMessage = new MessageBar(m_theme, card);
    m_report =
        new GridView(m_theme, m_model.report(), QStringLiteral("Before, during, after"), card);
    auto* top = new QHBoxLayout;
    top->addWidget(m_reportTitle, 1);
    top->addWidget(m_back);
    layout->addLayout(top);
    layout->addWidget(m_reportMessage);
    layout->addWidget(m_reportText);
    layout->addWidget(m_report, 1);
    connect(m_back, &QPushButton::clicked, this, &ProvidersPage::goBack);
    connect(m_reportMessage, &MessageBar::actionWanted, this, [this] { m_model.read(); });
    return card;
}

void ProvidersPage::refresh()
{
    m_model.refresh();
    refreshMessage();
    refreshModels();
    m_routes->choose(m_model.chosen());
    refreshDetail();
    refreshReport();
    refreshActions();
}

void ProvidersPage::refreshMessage()
{
    const model::PanelState live = m_console.panel();
    const model::PanelState stored = m_model.storePanel();
    const QString retry = QStringLiteral("Retry now");
    const bool isStale = live.kind == Kind::Stale;
    const bool isLiveError = live.kind == Kind::Error;
    const bool isStoreError = stored.kind == Kind::Error;
    // Hidden and shown again, it would take its room for a moment.
    m_message->setVisible(isStale || isLiveError || isStoreError || stored.kind == Kind::Empty);
    if (isLiveError) {
        m_message->show(model::Glyph::Cross, model::Tone::Critical, live.text, retry);
    } else if (isStale) {
        const QString text =
            live.text + QStringLiteral(": the agent's stream is open but sends nothing");
        m_message->show(model::Glyph::Warning, model::Tone::Warning, text, QString());
    } else if (isStoreError) {
        const QString text = QStringLiteral("What the store knows is missing: ") + stored.text;
        m_message->show(model::Glyph::Cross, model::Tone::Critical, text, retry);
    } else if (stored.kind == Kind::Empty) {
        m_message->show(model::Glyph::Warning, model::Tone::Warning, stored.text, QString());
    }
}

void ProvidersPage::refreshModels()
{
    const QStringList names = m_console.models().names();
    m_modelRow->setVisible(!names.isEmpty());
    if (m_models->count() != names.size()) {
        m_models->clear();
        m_models->addItems(names);
    }
    const QString selected = m_console.models().selected();
    if (m_models->currentText() != selected) m_models->setCurrentText(selected);
}

void ProvidersPage::refreshDetail()
{
    const model::PanelState live = m_console.panel();
    const bool isOld = live.kind == Kind::Stale || live.kind == Kind::Error;
    m_routes->setDimmed(isOld);
    m_routes->setNothingText(m_console.dataAge() ? live.text : QString());
    m_facts->setDimmed(isOld);
    const auto facts = m_model.facts();
    if (facts.empty()) {
        m_facts->showNothing(live.kind == Kind::Loading ? QString() : live.text);
    } else {
        m_facts->show(facts);
    }
    const RouteStatus* const route = m_model.route();
    for (TimeChart* chart : m_charts) {
        chart->showOnly(route == nullptr ? std::string{} : route->provider);
        chart->refresh();
    }
    m_drills->setNothingText(m_model.drillsNothing());
}

void ProvidersPage::refreshReport()
{
    const bool isOpen = !m_model.openReport().isEmpty();
    m_stack->setCurrentIndex(isOpen ? 1 : 0);
    if (!isOpen) return;
    const model::PanelState state = m_model.reportPanel();
    setTextIfNew(*m_reportTitle, m_model.reportTitle());
    setTextIfNew(*m_reportText, m_model.reportText().join(QChar('\n')));
    const bool isError = state.kind == Kind::Error;
    m_reportMessage->setVisible(isError);
    if (isError) {
        m_reportMessage->show(
            model::Glyph::Cross, model::Tone::Critical, state.text, QStringLiteral("Retry now"));
    }
    m_report->setNothingText(isError ? QStringLiteral("No report") : QString());
}

void ProvidersPage::refreshActions()
{
    const bool isReadOnly = m_console.desk().who().isReadOnly;
    const RouteStatus* const route = m_model.route();
    QString why;
    if (m_console.archive() == nullptr) why = QStringLiteral("There is no store to write to.");
    if (isReadOnly) why = QStringLiteral("This console was started read-only.");
    const bool isPossible = why.isEmpty() && route != nullptr;
    const bool isOff = route != nullptr && !route->enabled;
    QString turn = isOff ? QStringLiteral("Switch on") : QStringLiteral("Switch off");
    if (route != nullptr) turn += QChar(' ') + m_model.chosen();
    setButton(*m_switch, turn + QChar(0x2026), isPossible, why);
    setButton(*m_drill, QStringLiteral("Start a drill…"), isPossible, why);
    const bool isRunning =
        m_drills != nullptr && m_model.runningDrill(m_drills->chosen()) != nullptr;
    m_end->setVisible(isRunning);
    setButton(*m_end, QStringLiteral("End drill now…"), why.isEmpty(), why);
}

void ProvidersPage::openSwitch()
{
    const RouteStatus* const route = m_model.route();
    if (route == nullptr) return;
    open(
        new model::RouteDeed(m_console, m_model.model()->name, route->provider, !route->enabled),
        nullptr);
}

void ProvidersPage::openDrill()
{
    const RouteStatus* const route = m_model.route();
    if (route == nullptr) return;
    auto* deed = new model::DrillDeed(m_console, m_model.model()->name, route->provider);
    open(deed, new DrillForm(m_theme, *deed));
}

void ProvidersPage::openEnd()
{
    const Drill* const drill = m_model.runningDrill(m_drills->chosen());
    if (drill != nullptr) open(new model::DrillEndDeed(m_console, *drill), nullptr);
}

void ProvidersPage::open(model::Deed* deed, QWidget* form)
{
    if (m_dialog) m_dialog->reject();
    m_dialog = new DeedDialog(m_theme, deed, form, this);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &QDialog::finished, this, [this] { m_model.read(); });
    m_dialog->open();
}

void ProvidersPage::enter(const model::Place& place)
{
    if (place.range) m_console.window().show(*place.range);
    if (place.key.startsWith(QStringLiteral("drill-"))) {
        m_model.openDrill(place.key);
    } else {
        if (!m_model.openReport().isEmpty()) m_model.closeDrill();
        if (!place.key.isEmpty()) m_model.choose(place.key);
    }
    m_model.read();
    refresh();
}

bool ProvidersPage::goBack()
{
    if (m_model.openReport().isEmpty()) return false;
    m_model.closeDrill();
    refresh();
    m_drills->setFocus(Qt::OtherFocusReason);
    return true;
}

model::Place ProvidersPage::place() const
{
    const QString report = m_model.openReport();
    model::Place place{model::Place::Page::Providers, report, std::nullopt};
    if (report.isEmpty()) place.key = m_model.chosen();
    const auto& window = m_console.window();
    if (window.isPaused()) place.range = window.span(m_console.now());
    return place;
}

std::vector<QWidget*> ProvidersPage::panes() const
{
    if (!m_model.openReport().isEmpty()) return {m_routes, m_report};
    std::vector<QWidget*> panes{m_routes, m_facts};
    panes.insert(panes.end(), m_charts.begin(), m_charts.end());
    panes.push_back(m_drills);
    return panes;
}

} // namespace weir::view
