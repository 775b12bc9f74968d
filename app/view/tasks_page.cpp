// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/tasks_page.h"

#include "app/model/format.h"
#include "app/view/pieces.h"
#include "app/view/save_file.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace weir::view {
namespace {

using Kind = model::PanelState::Kind;
using Length = model::TaskCosts::Length;
using model::Place;

constexpr model::Ms kDayAndHalf = 36 * 3'600'000;

Line* makeTitle(const Theme& theme, const QString& text, QWidget* parent)
{
    auto* title = new Line(uiFont(10.0, QFont::Medium), theme.text, parent);
    title->setText(text);
    return title;
}

/// What a panel without data says; empty = it is still loading.
QString nothingText(const model::PanelState& state)
{
    if (state.kind == Kind::Error) return QStringLiteral("Not read.");
    return state.text;
}

} // namespace

TasksPage::TasksPage(const Theme& theme, model::Console& console, QWidget* parent)
    : Page(parent)
    , m_theme(theme)
    , m_console(console)
    , m_costs(console)
    , m_message(new MessageBar(theme, this))
    , m_range(new QComboBox(this))
    , m_rangeText(new Line(uiFont(9.5), theme.muted, this))
    , m_save(new QPushButton(QStringLiteral("Save as CSV…"), this))
    , m_saved(new Line(uiFont(9.5), theme.muted, this))
{
    auto* lower = new QHBoxLayout;
    lower->setSpacing(10);
    lower->addWidget(makeCosts(), 3);
    lower->addWidget(makeProviders(), 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(10);
    layout->addWidget(m_message);
    layout->addLayout(makeTop());
    layout->addWidget(makeTable(), 1);
    layout->addLayout(lower, 1);
    connect(&m_costs, &model::TaskCosts::changed, this, &TasksPage::refresh);
    connect(m_message, &MessageBar::actionWanted, &m_costs, &model::TaskCosts::read);
    refresh();
}

QHBoxLayout* TasksPage::makeTop()
{
    m_range->addItem(QStringLiteral("Last 24 hours"), static_cast<int>(Length::Day));
    m_range->addItem(QStringLiteral("Last 7 days"), static_cast<int>(Length::Week));
    m_range->setAccessibleName(QStringLiteral("Time range of tasks and cost"));
    m_save->setAutoDefault(false);
    m_save->setAccessibleName(QStringLiteral("Save the table as CSV"));
    auto* top = new QHBoxLayout;
    top->setSpacing(12);
    top->addWidget(m_range);
    top->addWidget(m_rangeText, 1);
    top->addWidget(m_saved);
    top->addWidget(m_save);
    connect(m_range, &QComboBox::activated, this, [this](int index) {
        m_costs.show(static_cast<Length>(m_range->itemData(index).toInt()));
    });
    connect(m_save, &QPushButton::clicked, this, [this] {
        askWhere(
            this,
            QStringLiteral("Save tasks as CSV"),
            QStringLiteral("weir-tasks.csv"),
            [this](const QString& path) { saveTo(path); });
    });
    return top;
}

QWidget* TasksPage::makeTable()
{
    auto* card = new Card(m_theme, this);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(4, 4, 4, 8);
    layout->setSpacing(6);
    m_table = new GridView(m_theme, m_costs.tasks(), QStringLiteral("Task types"), card);
    m_note = makeParagraph(uiFont(9.0), m_theme.muted, card);
    m_note->setContentsMargins(10, 0, 10, 0);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_note);
    connect(m_table, &GridView::opened, this, [this](const QString& type) {
        m_console.go({Place::Page::Decisions, QStringLiteral("type=") + type, m_costs.shown()});
    });
    return card;
}

QWidget* TasksPage::makeCosts()
{
    auto* card = new Card(m_theme, this);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(14, 10, 8, 6);
    layout->setSpacing(4);
    m_chartTitle = makeTitle(m_theme, QString(), card);
    m_chartText = new Line(uiFont(9.0), m_theme.muted, card);
    m_chart =
        new BarChart(m_theme, m_costs.bars(), QStringLiteral("Cost over time by provider"), card);
    layout->addWidget(m_chartTitle);
    layout->addWidget(m_chartText);
    layout->addWidget(m_chart, 1);
    connect(m_chart, &BarChart::chosenChanged, this, &TasksPage::refreshCosts);
    return card;
}

QWidget* TasksPage::makeProviders()
{
    auto* card = new Card(m_theme, this);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(4, 10, 4, 8);
    layout->setSpacing(4);
    auto* title = makeTitle(m_theme, QStringLiteral("Cost by provider"), card);
    m_providers =
        new GridView(m_theme, m_costs.providers(), QStringLiteral("Cost by provider"), card);
    m_aside = makeParagraph(uiFont(9.0), m_theme.muted, card);
    m_aside->setContentsMargins(10, 0, 10, 0);
    m_aside->setToolTip(plainToolTip(QStringLiteral(
        "What the attempts themselves cost, by the price card: of exploration those that were sent "
        "to another provider to keep its figures fresh, not what they cost more than the best. "
        "Read from the ledger; eval runs and copies for comparison serve nobody.")));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(10, 0, 10, 0);
    head->addWidget(title);
    layout->addLayout(head);
    layout->addWidget(m_providers, 1);
    layout->addWidget(m_aside);
    connect(m_providers, &GridView::opened, this, [this](const QString& provider) {
        m_console.go({Place::Page::Providers, provider, std::nullopt});
    });
    return card;
}

void TasksPage::refresh()
{
    m_costs.refresh();
    const int index = m_range->findData(static_cast<int>(m_costs.length()));
    if (m_range->currentIndex() != index) m_range->setCurrentIndex(index);
    m_rangeText->setText(m_costs.rangeText());
    refreshMessage();
    const model::PanelState state = m_costs.taskPanel();
    m_table->setNothingText(nothingText(state));
    m_table->setDimmed(state.kind == Kind::Error);
    m_note->setText(m_costs.noteText());
    m_save->setEnabled(m_costs.tasks().rowCount() > 0);
    refreshCosts();
    if (!m_wanted.isEmpty() && m_costs.tasks().rowOf(m_wanted) >= 0) {
        m_table->choose(m_wanted);
        m_wanted.clear();
    }
}

void TasksPage::refreshMessage()
{
    model::PanelState state = m_costs.taskPanel();
    if (state.kind != Kind::Error) state = m_costs.costPanel();
    const bool isError = state.kind == Kind::Error;
    m_message->setVisible(isError);
    if (!isError) return;
    m_message->show(
        model::Glyph::Cross, model::Tone::Critical, state.text, QStringLiteral("Retry now"));
}

void TasksPage::refreshCosts()
{
    model::PanelState state = m_costs.costPanel();
    const bool isError = state.kind == Kind::Error;
    state.text = nothingText(state);
    m_chart->refresh(state);
    m_providers->setNothingText(state.text);
    m_providers->setDimmed(isError);
    const bool isDays = m_costs.length() == Length::Week;
    m_chartTitle->setText(isDays ? QStringLiteral("Cost by day") : QStringLiteral("Cost by hour"));
    m_chartText->setText(m_chart->text());
    m_aside->setText(m_costs.asideText());
}

void TasksPage::saveTo(const QString& path)
{
    const QString trouble = writeFile(path, m_costs.tasks().csv().toUtf8());
    const QString said = trouble.isEmpty() ? QStringLiteral("Saved as ") + path : trouble;
    m_saved->setColour(m_theme.ink(trouble.isEmpty() ? model::Tone::Ok : model::Tone::Critical));
    m_saved->setText(said);
}

void TasksPage::enter(const Place& place)
{
    m_wanted = place.key;
    if (!place.range) {
        m_costs.show(m_costs.length());
        return;
    }
    const bool isPast = place.range->to < epochMs(m_console.now());
    m_costs.show(
        place.range->length() > kDayAndHalf ? Length::Week : Length::Day,
        isPast ? std::optional{place.range->to} : std::nullopt);
}

bool TasksPage::goBack()
{
    return m_chart->clearChoice();
}

Place TasksPage::place() const
{
    return {Place::Page::Tasks, m_table->chosen(), m_costs.shown()};
}

std::vector<QWidget*> TasksPage::panes() const
{
    return {m_table, m_chart, m_providers};
}

} // namespace weir::view
