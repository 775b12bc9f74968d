// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/incident_list.h"
#include "app/view/grid_view.h"
#include "app/view/lane_view.h"
#include "app/view/message_bar.h"
#include "app/view/pieces.h"
#include "app/view/theme.h"

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace weir::view {

/// The incidents of a time under their lanes.
class IncidentListView final : public QWidget
{
    Q_OBJECT

public:
    IncidentListView(const Theme& theme, model::IncidentList& list, QWidget* parent = nullptr);

    void refresh();

    [[nodiscard]] GridView& grid() { return *m_grid; }

    [[nodiscard]] LaneView& lanes() { return *m_lanes; }

    [[nodiscard]] QWidget* filterField() const;
    [[nodiscard]] QString message() const;

signals:
    void opened(const QString& incident);

private:
    [[nodiscard]] QWidget* makeHead();

    const Theme& m_theme;
    model::IncidentList& m_list;
    Line* m_summary = nullptr;
    QComboBox* m_range = nullptr;
    QLineEdit* m_filter = nullptr;
    MessageBar* m_message;
    LaneView* m_lanes;
    GridView* m_grid;
};

} // namespace weir::view
