// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/console.h"
#include "app/model/decision_detail.h"
#include "app/model/decision_list.h"
#include "app/model/decision_trends.h"
#include "app/view/decision_list_view.h"
#include "app/view/decision_trends_view.h"
#include "app/view/decision_view.h"
#include "app/view/page.h"
#include "app/view/theme.h"

class QStackedWidget;
class QTabBar;

namespace weir::view {

/// Why did this request go there? A place's key is a request's id, or the words of a query.
class DecisionsPage final : public Page
{
    Q_OBJECT

public:
    DecisionsPage(const Theme& theme, model::Console& console, QWidget* parent = nullptr);

    void refresh() override;
    [[nodiscard]] std::vector<QWidget*> panes() const override;
    void enter(const model::Place& place) override;
    [[nodiscard]] QWidget* filterField() const override;
    bool goBack() override;
    [[nodiscard]] model::Place place() const override;

    [[nodiscard]] DecisionListView& list() const { return *m_listView; }

    [[nodiscard]] DecisionView& detail() const { return *m_detailView; }

    [[nodiscard]] DecisionTrendsView& trends() const { return *m_trendsView; }

    [[nodiscard]] QTabBar* tabs() const { return m_tabs; }

private:
    void openRequest(const QString& requestId);
    void find(const QString& words);
    void show(QWidget* view);
    void showTab(int tab);
    [[nodiscard]] bool isInDetail() const;

    model::Console& m_console;
    model::DecisionList m_list;
    model::DecisionDetail m_detail;
    model::DecisionTrends m_trends;
    QTabBar* m_tabs;
    QStackedWidget* m_stack;
    DecisionListView* m_listView;
    DecisionView* m_detailView;
    DecisionTrendsView* m_trendsView;
};

} // namespace weir::view
