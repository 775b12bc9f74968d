// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/decision_list_view.h"

#include "app/model/decision_rows.h"

#include <QScrollBar>
#include <QVBoxLayout>

namespace weir::view {

using Kind = model::PanelState::Kind;

DecisionListView::DecisionListView(const Theme& theme, model::DecisionList& list, QWidget* parent)
    : QWidget(parent)
    , m_list(list)
    , m_query(new QueryBar(theme, this))
    , m_message(new MessageBar(theme, this))
    , m_table(nullptr)
    , m_status(new Line(uiFont(9.0), theme.muted, this))
{
    auto* card = new Card(theme, this);
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(4, 4, 4, 6);
    m_table = new GridView(theme, list.grid(), QStringLiteral("Requests"), card);
    inside->addWidget(m_table);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_query);
    layout->addWidget(m_message);
    layout->addWidget(card, 1);
    layout->addWidget(m_status);

    connect(m_query, &QueryBar::asked, &list, &model::DecisionList::ask);
    connect(m_table, &GridView::endReached, &list, &model::DecisionList::more);
    connect(m_table, &GridView::opened, this, [this](const QString& key) {
        emit opened(model::requestOf(key));
    });
    connect(m_message, &MessageBar::actionWanted, this, &DecisionListView::act);
    connect(&list, &model::DecisionList::changed, this, [this] {
        m_query->setWords(m_list.words());
        refresh();
    });
    refresh();
}

void DecisionListView::act()
{
    if (m_list.panel().kind == Kind::Error) {
        m_list.retry();
    } else if (const auto words = m_list.wayOut()) {
        m_list.ask(*words);
    }
}

bool DecisionListView::isTopInView() const
{
    return isVisible() && m_table->verticalScrollBar()->value() == 0;
}

void DecisionListView::refresh()
{
    m_list.tick(isTopInView());
    m_query->setNames(m_list.names());
    m_query->showTrouble(m_list.wordsTrouble());
    const model::PanelState state = m_list.panel();
    const bool isError = state.kind == Kind::Error;
    const bool hasWayOut = state.kind == Kind::Empty && m_list.wayOut().has_value();
    m_message->setVisible(isError || hasWayOut);
    if (isError) {
        m_message->show(
            model::Glyph::Cross, model::Tone::Critical, state.text, QStringLiteral("Retry"));
    } else if (hasWayOut) {
        m_message->show(model::Glyph::Circle, model::Tone::Stale, state.text, m_list.wayOutText());
    }
    m_table->setDimmed(isError);
    m_table->setNothingText(
        state.kind == Kind::Loading ? QString()
        : isError                   ? QStringLiteral("Nothing could be read")
        : hasWayOut                 ? QStringLiteral("Nothing to show")
                                    : state.text);
    m_status->setText(m_list.status());
}

} // namespace weir::view
