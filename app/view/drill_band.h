// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/drill_watch.h"
#include "app/view/pieces.h"
#include "app/view/theme.h"

#include <QWidget>

class QPushButton;

namespace weir::view {

/// A striped band below the header of every page while a drill runs: what it does, how long it
/// still does, and a way to end it. Hidden while none runs.
class DrillBand final : public QWidget
{
    Q_OBJECT

public:
    DrillBand(const Theme& theme, model::Console& console, QWidget* parent = nullptr);

    void refresh();

    [[nodiscard]] QString text() const { return m_text->text(); }

signals:
    void endWanted(const weir::Drill& drill);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void show(const std::vector<model::RunningDrill>& running);

    const Theme& m_theme;
    model::Console& m_console;
    model::DrillWatch m_watch;
    Drill m_drill;
    Line* m_text;
    QPushButton* m_end;
};

} // namespace weir::view
