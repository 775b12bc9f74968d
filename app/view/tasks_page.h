// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/console.h"
#include "app/model/task_costs.h"
#include "app/view/bar_chart.h"
#include "app/view/grid_view.h"
#include "app/view/message_bar.h"
#include "app/view/page.h"
#include "app/view/theme.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace weir::view {

/// What each type of task did and cost, and what was spent at whom and when.
class TasksPage final : public Page
{
    Q_OBJECT

public:
    TasksPage(const Theme& theme, model::Console& console, QWidget* parent = nullptr);

    void refresh() override;
    [[nodiscard]] std::vector<QWidget*> panes() const override;
    void enter(const model::Place& place) override;
    bool goBack() override;
    [[nodiscard]] model::Place place() const override;

    /// Writes the table there and says so.
    void saveTo(const QString& path);

    [[nodiscard]] model::TaskCosts& costs() { return m_costs; }

    [[nodiscard]] BarChart* chart() const { return m_chart; }

    [[nodiscard]] GridView* table() const { return m_table; }

private:
    [[nodiscard]] QHBoxLayout* makeTop();
    [[nodiscard]] QWidget* makeTable();
    [[nodiscard]] QWidget* makeCosts();
    [[nodiscard]] QWidget* makeProviders();
    void refreshMessage();
    void refreshCosts();

    const Theme& m_theme;
    model::Console& m_console;
    model::TaskCosts m_costs;
    MessageBar* m_message;
    QComboBox* m_range;
    Line* m_rangeText;
    QPushButton* m_save;
    Line* m_saved;
    GridView* m_table;
    QLabel* m_note;
    Line* m_chartTitle;
    Line* m_chartText;
    BarChart* m_chart;
    GridView* m_providers;
    QLabel* m_aside;
    /// To be chosen once it is there.
    QString m_wanted;
};

} // namespace weir::view
