// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/console.h"
#include "app/view/incident_chip.h"
#include "app/view/pieces.h"
#include "app/view/switch_button.h"
#include "app/view/theme.h"

#include <QWidget>

class QComboBox;
class QToolButton;

namespace weir::view {

/// What stands on every page: environment, mode as the agents report it, how many are heard, how
/// old the data is, the time range, and the off switch.
class HeaderBar final : public QWidget
{
    Q_OBJECT

public:
    HeaderBar(const Theme& theme, model::Console& console, QWidget* parent = nullptr);

    void refresh();
    /// Chooses the next longer (1) or shorter (-1) range.
    void stepRange(int direction);

signals:
    void switchWanted();
    void incidentsWanted();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QWidget* makeRange();

    const Theme& m_theme;
    model::Console& m_console;
    Line* m_profile;
    Chip* m_pill;
    Line* m_facts;
    Line* m_age;
    Line* m_pending;
    IncidentChip* m_incidents;
    QComboBox* m_range;
    QToolButton* m_live;
    SwitchButton* m_switch;
};

} // namespace weir::view
