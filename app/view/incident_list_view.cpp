// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/incident_list_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

namespace weir::view {
namespace {

using Kind = model::PanelState::Kind;

constexpr model::Ms kHour = 3'600'000;

struct Range
{
    const char* name;
    model::Ms length;
};

constexpr Range kRanges[] = {
    {"Last 24 hours", 24 * kHour},
    {"Last 7 days", 7 * 24 * kHour},
    {"Last 30 days", 30 * 24 * kHour},
    {"Last 90 days", 90 * 24 * kHour},
};

} // namespace

IncidentListView::IncidentListView(const Theme& theme, model::IncidentList& list, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_list(list)
    , m_message(new MessageBar(theme, this))
    , m_lanes(new LaneView(theme, this))
    , m_grid(new GridView(theme, list.grid(), QStringLiteral("Incidents"), this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(10);
    layout->addWidget(makeHead());
    layout->addWidget(m_message);
    auto* lanes = new Card(theme, this);
    auto* inLanes = new QVBoxLayout(lanes);
    inLanes->setContentsMargins(14, 12, 6, 4);
    inLanes->addWidget(m_lanes);
    layout->addWidget(lanes);
    auto* table = new Card(theme, this);
    auto* inTable = new QVBoxLayout(table);
    inTable->setContentsMargins(4, 4, 4, 6);
    inTable->addWidget(m_grid);
    layout->addWidget(table, 1);
    connect(m_message, &MessageBar::actionWanted, &list, &model::IncidentList::ask);
    connect(m_grid, &GridView::opened, this, &IncidentListView::opened);
    connect(m_lanes, &LaneView::opened, this, &IncidentListView::opened);
    refresh();
}

QWidget* IncidentListView::makeHead()
{
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    auto* title = new Line(uiFont(15.0, QFont::Medium), m_theme.text, head);
    title->setText(QStringLiteral("Incidents"));
    m_summary = new Line(uiFont(), m_theme.muted, head);
    m_range = new QComboBox(head);
    for (const Range& range : kRanges)
        m_range->addItem(QString::fromLatin1(range.name), QVariant::fromValue(range.length));
    m_range->setAccessibleName(QStringLiteral("Time range of the list"));
    m_filter = new QLineEdit(head);
    m_filter->setPlaceholderText(QStringLiteral("Filter  /"));
    m_filter->setAccessibleName(QStringLiteral("Filter: id, kind, provider, or open"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(220);
    row->addWidget(title);
    row->addWidget(m_summary, 1);
    row->addWidget(m_range);
    row->addWidget(m_filter);
    connect(m_range, &QComboBox::activated, this, [this](int index) {
        m_list.setLength(m_range->itemData(index).value<model::Ms>());
    });
    connect(m_filter, &QLineEdit::textChanged, &m_list, &model::IncidentList::setFilter);
    return head;
}

void IncidentListView::refresh()
{
    const model::PanelState state = m_list.panel();
    m_message->setVisible(state.kind == Kind::Error || state.kind == Kind::Stale);
    if (state.kind == Kind::Error) {
        m_message->show(
            model::Glyph::Cross, model::Tone::Critical, state.text, QStringLiteral("Retry"));
    } else if (state.kind == Kind::Stale) {
        m_message->show(
            model::Glyph::Warning, model::Tone::Warning, state.text, QStringLiteral("Retry"));
    }
    m_summary->setText(m_list.summary());
    if (!m_list.isFixed())
        m_range->setCurrentIndex(m_range->findData(QVariant::fromValue(m_list.length())));
    m_range->setToolTip(
        m_list.isFixed() ? QStringLiteral("The link that led here has a range of its own")
                         : QString());
    const bool isLost = state.kind == Kind::Error && m_list.lanes().empty();
    m_lanes->parentWidget()->setVisible(!isLost);
    m_lanes->show(m_list.lanesRange(), m_list.lanes());
    const bool isSilent = state.kind == Kind::Loading;
    m_grid->setNothingText(isSilent ? QString() : state.text);
    m_grid->setDimmed(state.kind == Kind::Error || state.kind == Kind::Stale);
}

QWidget* IncidentListView::filterField() const
{
    return m_filter;
}

QString IncidentListView::message() const
{
    return m_message->isHidden() ? QString() : m_message->text();
}

} // namespace weir::view
