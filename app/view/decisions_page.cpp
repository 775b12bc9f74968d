// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/decisions_page.h"

#include <QLineEdit>
#include <QStackedWidget>
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
    , m_stack(new QStackedWidget(this))
    , m_listView(new DecisionListView(theme, m_list, m_stack))
    , m_detailView(new DecisionView(theme, m_detail, m_stack))
{
    m_stack->addWidget(m_listView);
    m_stack->addWidget(m_detailView);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 10);
    layout->addWidget(m_stack);
    connect(m_listView, &DecisionListView::opened, this, &DecisionsPage::openRequest);
    connect(m_detailView, &DecisionView::backWanted, this, [this] { goBack(); });
    connect(m_detailView, &DecisionView::queryWanted, this, &DecisionsPage::find);
    connect(m_detailView, &DecisionView::placeWanted, &console, &model::Console::go);
}

bool DecisionsPage::isInDetail() const
{
    return m_stack->currentWidget() == m_detailView;
}

void DecisionsPage::openRequest(const QString& requestId)
{
    m_detail.open(requestId);
    m_stack->setCurrentWidget(m_detailView);
    m_detailView->ladder()->setFocus(Qt::OtherFocusReason);
}

void DecisionsPage::find(const QString& words)
{
    m_stack->setCurrentWidget(m_listView);
    m_list.ask(words);
    m_listView->table()->setFocus(Qt::OtherFocusReason);
}

void DecisionsPage::refresh()
{
    if (isInDetail()) {
        m_detailView->refresh();
    } else {
        m_listView->refresh();
    }
}

std::vector<QWidget*> DecisionsPage::panes() const
{
    if (!isInDetail()) return {m_listView->table(), m_listView->query()->field()};
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
    return isInDetail() ? nullptr : m_listView->query()->field();
}

bool DecisionsPage::goBack()
{
    if (!isInDetail()) return false;
    if (m_detailView->closeWhatIf()) return true;
    // It may have been opened from elsewhere: then nothing has been listed yet.
    if (m_list.grid().rows().empty()) m_list.ask(m_list.words());
    m_stack->setCurrentWidget(m_listView);
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
