// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/incident_detail.h"
#include "app/view/fact_grid.h"
#include "app/view/grid_view.h"
#include "app/view/incident_document.h"
#include "app/view/lane_view.h"
#include "app/view/message_bar.h"
#include "app/view/pieces.h"
#include "app/view/readout.h"
#include "app/view/theme.h"
#include "app/view/time_chart.h"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace weir::view {

/// One incident: facts, lanes, charts under one crosshair, the story beside the whole log.
class IncidentDetailView final : public QWidget
{
    Q_OBJECT

public:
    IncidentDetailView(
        const Theme& theme, model::IncidentDetail& detail, QWidget* parent = nullptr);

    void refresh();
    /// The next or previous event of the story.
    void step(int direction);
    /// The row that somebody looks at, of the table that has the focus.
    [[nodiscard]] QString chosen() const;
    /// The review as it stands, with the charts in light colours whatever the theme.
    [[nodiscard]] ReviewDocument document(const model::IncidentReview& review) const;
    [[nodiscard]] std::vector<model::Picture> pictureNames() const;

    [[nodiscard]] GridView& story() { return *m_story; }

    [[nodiscard]] GridView& log() { return *m_log; }

    [[nodiscard]] LaneView& lanes() { return *m_lanes; }

    [[nodiscard]] const std::vector<TimeChart*>& charts() const { return m_charts; }

    [[nodiscard]] std::vector<QWidget*> panes() const;
    [[nodiscard]] QWidget* filterField() const;
    [[nodiscard]] QString message() const;

signals:
    void backWanted();
    void noteWanted();
    void exportWanted();
    void linkWanted();
    /// A row was opened.
    void opened(const QString& key);

private:
    [[nodiscard]] QWidget* makeHead();
    [[nodiscard]] QWidget* makeLanes();
    [[nodiscard]] QWidget* makeCharts();
    [[nodiscard]] QWidget* makeTables();
    [[nodiscard]] QWidget* makeStory();
    [[nodiscard]] QWidget* makeLog();
    void refreshHead();

    const Theme& m_theme;
    model::IncidentDetail& m_detail;
    Chip* m_state = nullptr;
    Line* m_title = nullptr;
    Line* m_where = nullptr;
    QPushButton* m_note = nullptr;
    QPushButton* m_export = nullptr;
    MessageBar* m_message;
    QLabel* m_nothing;
    QWidget* m_body;
    FactGrid* m_facts;
    LaneView* m_lanes;
    std::vector<TimeChart*> m_charts;
    Readout* m_readout = nullptr;
    GridView* m_story = nullptr;
    GridView* m_log = nullptr;
    QLineEdit* m_filter = nullptr;
};

} // namespace weir::view
