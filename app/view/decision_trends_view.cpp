// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/decision_trends_view.h"

#include <QVBoxLayout>

namespace weir::view {

using Kind = model::PanelState::Kind;

DecisionTrendsView::DecisionTrendsView(
    const Theme& theme, model::DecisionTrends& trends, QWidget* parent)
    : QWidget(parent)
    , m_trends(trends)
    , m_message(new MessageBar(theme, this))
    , m_reasons(new StackChart(theme, QStringLiteral("Requests by reason"), this))
    , m_profile(new StackChart(theme, QStringLiteral("Attempts by minute of the hour"), this))
    , m_reasonsText(new Line(uiFont(9.5), theme.muted, this))
    , m_profileText(new Line(uiFont(9.5), theme.muted, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(m_message);
    layout->addWidget(
        makeCard(
            theme,
            QStringLiteral("Requests by reason, in the header's time range"),
            m_reasons,
            m_reasonsText),
        1);
    layout->addWidget(
        makeCard(
            theme,
            QStringLiteral("Attempts by minute of the hour, last 24 hours"),
            m_profile,
            m_profileText),
        1);
    connect(m_message, &MessageBar::actionWanted, &trends, &model::DecisionTrends::ask);
    connect(&trends, &model::DecisionTrends::changed, this, &DecisionTrendsView::refresh);
    refresh();
}

QWidget* DecisionTrendsView::makeCard(
    const Theme& theme, const QString& title, StackChart* chart, Line* text)
{
    auto* card = new Card(theme, this);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(14, 10, 10, 8);
    layout->setSpacing(4);
    auto* head = new Line(uiFont(10.0, QFont::Medium), theme.text, card);
    head->setText(title);
    layout->addWidget(head);
    layout->addWidget(text);
    layout->addWidget(chart, 1);
    return card;
}

void DecisionTrendsView::refresh()
{
    const model::PanelState reasons = m_trends.reasonsPanel();
    const model::PanelState profile = m_trends.profilePanel();
    const model::PanelState& trouble = reasons.kind == Kind::Error ? reasons : profile;
    const bool isError = trouble.kind == Kind::Error;
    m_message->setVisible(isError);
    if (isError) {
        m_message->show(
            model::Glyph::Cross, model::Tone::Critical, trouble.text, QStringLiteral("Retry"));
    }
    m_reasons->show(m_trends.reasons(), reasons);
    m_profile->show(m_trends.profile(), profile);
    m_reasonsText->setText(reasons.kind == Kind::Empty ? QString() : m_trends.reasons().text);
    m_profileText->setText(profile.kind == Kind::Empty ? QString() : m_trends.profile().text);
}

} // namespace weir::view
