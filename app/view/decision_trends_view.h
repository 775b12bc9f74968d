// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/decision_trends.h"
#include "app/view/message_bar.h"
#include "app/view/stack_chart.h"
#include "app/view/theme.h"

#include <QWidget>

namespace weir::view {

/// Reasons minute by minute, and the profile of an hour.
class DecisionTrendsView final : public QWidget
{
    Q_OBJECT

public:
    DecisionTrendsView(
        const Theme& theme, model::DecisionTrends& trends, QWidget* parent = nullptr);

    void refresh();

    [[nodiscard]] StackChart* reasons() const { return m_reasons; }

    [[nodiscard]] StackChart* profile() const { return m_profile; }

private:
    QWidget* makeCard(const Theme& theme, const QString& title, StackChart* chart, Line* text);

    model::DecisionTrends& m_trends;
    MessageBar* m_message;
    StackChart* m_reasons;
    StackChart* m_profile;
    Line* m_reasonsText;
    Line* m_profileText;
};

} // namespace weir::view
