// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/decisions_page.h"

#include <QLineEdit>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace weir::view {
namespace {

using model::Place;

/// "from=… to=…": a stretch of time as words of a query.
QString rangeWords(const model::Span& range)
{
    const auto word = [](const char* key, model::Ms at) {
        return model::queryWord(
            QString::fromLatin1(key), QString::fromStdString(toIso(fromEpochMs(at))));
    };
    return word("from", range.from) + QChar(' ') + word("to", range.to);
}

} // namespace

DecisionsPage::DecisionsPage(const Theme& theme, model::Console& console, QWidget* parent)
    : Page(parent)
    , m_console(console)
    , m_list(console)
    , m_detail(console)
    , m_trends(console)
    , m_tabs(new QTabBar(this))
    , m_stack(new QStackedWidget(this))
    , m_listView(new DecisionListView(theme, m_list, m_stack))
    , m_detailView(new DecisionView(theme, m_detail, m_stack))
    , m_trendsView(new DecisionTrendsView(theme, m_trends, m_stack))
{
    m_stack->addWidget(m_listView);
    m_stack->addWidget(m_detailView);
    m_stack->addWidget(m_trendsView);
    m_tabs->addTab(QStringLiteral("Requests"));
    m_tabs->addTab(QStringLiteral("Over time"));
    m_tabs->setAccessibleName(QStringLiteral("Parts of the page"));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 8, 16, 10);
    layout->setSpacing(8);
    layout->addWidget(m_tabs);
    layout->addWidget(m_stack);
    connect(m_tabs, &QTabBar::currentChanged, this, &DecisionsPage::showTab);
    connect(&console.window(), &model::TimeWindow::changed, this, [this] {
        if (m_stack->currentWidget() == m_trendsView) m_trends.ask();
    });
    connect(m_listView, &DecisionListView::opened, this, &DecisionsPage::openRequest);
    connect(m_detailView, &DecisionView::backWanted, this, [this] { goBack(); });
    connect(m_detailView, &DecisionView::queryWanted, this, &DecisionsPage::find);
    connect(m_detailView, &DecisionView::placeWanted, &console, &model::Console::go);
}

void DecisionsPage::show(QWidget* view)
{
    m_stack->setCurrentWidget(view);
    // One request has the page to itself.
    m_tabs->setVisible(view != m_detailView);
    const QSignalBlocker quiet(m_tabs);
    m_tabs->setCurrentIndex(view == m_trendsView ? 1 : 0);
}

void DecisionsPage::showTab(int tab)
{
    if (tab == 0) {
        show(m_listView);
        m_listView->refresh();
        return;
    }
    m_trends.ask();
    show(m_trendsView);
}

bool DecisionsPage::isInDetail() const
{
    return m_stack->currentWidget() == m_detailView;
}

void DecisionsPage::openRequest(const QString& requestId)
{
    m_detail.open(requestId);
    show(m_detailView);
    m_detailView->ladder()->setFocus(Qt::OtherFocusReason);
}

void DecisionsPage::find(const QString& words)
{
    show(m_listView);
    m_list.ask(words);
    m_listView->table()->setFocus(Qt::OtherFocusReason);
}

void DecisionsPage::refresh()
{
    if (isInDetail()) {
        m_detailView->refresh();
    } else if (m_stack->currentWidget() == m_trendsView) {
        m_trendsView->refresh();
    } else {
        m_listView->refresh();
    }
}

std::vector<QWidget*> DecisionsPage::panes() const
{
    if (m_stack->currentWidget() == m_trendsView) {
        return {m_trendsView->reasons(), m_trendsView->profile(), m_tabs};
    }
    if (!isInDetail()) return {m_listView->table(), m_listView->query()->field(), m_tabs};
    std::vector<QWidget*> panes{m_detailView->ladder(), m_detailView->attempts()};
    if (m_detail.isSupposing()) panes.push_back(m_detailView->hypothesis());
    return panes;
}

void DecisionsPage::enter(const Place& place)
{
    const bool isQuery = place.key.contains(QChar('='));
    if (!place.key.isEmpty() && !isQuery) return openRequest(place.key);
    QString words = isQuery ? place.key : QString();
    if (place.range) words += QChar(' ') + rangeWords(*place.range);
    find(words.isEmpty() ? m_list.words() : words);
}

QWidget* DecisionsPage::filterField() const
{
    return m_stack->currentWidget() == m_listView ? m_listView->query()->field() : nullptr;
}

bool DecisionsPage::goBack()
{
    if (!isInDetail()) return false;
    if (m_detailView->closeWhatIf()) return true;
    // It may have been opened from elsewhere: then nothing has been listed yet.
    if (m_list.grid().rows().empty()) m_list.ask(m_list.words());
    show(m_listView);
    m_listView->table()->setFocus(Qt::OtherFocusReason);
    m_listView->refresh();
    return true;
}

Place DecisionsPage::place() const
{
    if (isInDetail()) return {Place::Page::Decisions, m_detail.id(), std::nullopt};
    Place place{Place::Page::Decisions, QString(), std::nullopt};
    if (m_list.words().contains(QChar('='))) place.key = m_list.words();
    const bool isPaused = m_console.window().isPaused();
    if (isPaused && !m_list.query().hasTimes()) place.range = m_list.range();
    return place;
}

} // namespace weir::view
