// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/decision_list.h"
#include "app/view/grid_view.h"
#include "app/view/message_bar.h"
#include "app/view/query_bar.h"
#include "app/view/theme.h"

#include <QWidget>

namespace weir::view {

/// The query bar and what it finds.
class DecisionListView final : public QWidget
{
    Q_OBJECT

public:
    DecisionListView(const Theme& theme, model::DecisionList& list, QWidget* parent = nullptr);

    void refresh();

    [[nodiscard]] QueryBar* query() const { return m_query; }

    [[nodiscard]] GridView* table() const { return m_table; }

signals:
    /// Somebody wants to see this request.
    void opened(const QString& requestId);

private:
    void act();
    [[nodiscard]] bool isTopInView() const;

    model::DecisionList& m_list;
    QueryBar* m_query;
    MessageBar* m_message;
    GridView* m_table;
    Line* m_status;
};

} // namespace weir::view
