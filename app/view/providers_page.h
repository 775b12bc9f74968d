// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/console.h"
#include "app/model/providers.h"
#include "app/view/deed_dialog.h"
#include "app/view/fact_view.h"
#include "app/view/grid_view.h"
#include "app/view/message_bar.h"
#include "app/view/page.h"
#include "app/view/theme.h"
#include "app/view/time_chart.h"

#include <QPointer>

#include <vector>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace weir::view {

/// The routes of a model, all that is known about one of them, and drills: what was tried, what
/// came of it, and a way to try more.
class ProvidersPage final : public Page
{
    Q_OBJECT

public:
    ProvidersPage(const Theme& theme, model::Console& console, QWidget* parent = nullptr);

    void refresh() override;
    [[nodiscard]] std::vector<QWidget*> panes() const override;
    void enter(const model::Place& place) override;
    bool goBack() override;
    [[nodiscard]] model::Place place() const override;

    /// Null while none is open.
    [[nodiscard]] DeedDialog* dialog() const { return m_dialog; }

    void openSwitch();
    void openDrill();
    void openEnd();

private:
    [[nodiscard]] QHBoxLayout* makeTop();
    [[nodiscard]] QWidget* makeDetail();
    [[nodiscard]] QWidget* makeReport();
    [[nodiscard]] QWidget* makeChart(const ChartSpec& spec, const model::ChartFeed& feed);
    [[nodiscard]] QWidget* makeDrills();
    void refreshMessage();
    void refreshModels();
    void refreshActions();
    void refreshDetail();
    void refreshReport();
    void open(model::Deed* deed, QWidget* form);

    const Theme& m_theme;
    model::Console& m_console;
    model::Providers m_model;
    MessageBar* m_message;
    QWidget* m_modelRow;
    QComboBox* m_models;
    QPushButton* m_switch;
    QPushButton* m_drill;
    QPushButton* m_end;
    GridView* m_routes;
    QStackedWidget* m_stack;
    FactView* m_facts;
    GridView* m_drills = nullptr;
    std::vector<TimeChart*> m_charts;
    GridView* m_report = nullptr;
    QLabel* m_reportTitle = nullptr;
    QLabel* m_reportText = nullptr;
    MessageBar* m_reportMessage = nullptr;
    QPushButton* m_back = nullptr;
    QPointer<DeedDialog> m_dialog;
};

} // namespace weir::view
