// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/bars.h"
#include "app/model/panel.h"
#include "app/model/time_axis.h"
#include "app/view/theme.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace weir::view {

/// Cost over time, stacked by provider; a step that is not over is hatched. The pointer, or the
/// left and right arrows, choose a bar.
class BarChart final : public QWidget
{
    Q_OBJECT

public:
    /// `bars` outlive it.
    BarChart(
        const Theme& theme,
        const model::CostBars& bars,
        const QString& name,
        QWidget* parent = nullptr);

    /// The bars are others, or the panel's state is.
    void refresh(const model::PanelState& state);
    /// False where none was chosen.
    bool clearChoice();

    /// Of the bar chosen, or of all together.
    [[nodiscard]] QString text() const;
    [[nodiscard]] std::optional<std::size_t> chosen() const;
    [[nodiscard]] QRectF plot() const;
    /// Where a bar stands, from the axis to the top of the plot.
    [[nodiscard]] QRectF slot(std::size_t bar) const;

    [[nodiscard]] QSize sizeHint() const override { return {560, 220}; }

    [[nodiscard]] QSize minimumSizeHint() const override { return {300, 160}; }

signals:
    void chosenChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose(std::optional<std::size_t> bar);
    void paintGrid(QPainter& painter) const;
    void paintBars(QPainter& painter) const;
    void paintTimes(QPainter& painter) const;
    void paintMessage(QPainter& painter) const;

    const Theme& m_theme;
    const model::CostBars& m_bars;
    model::PanelState m_state;
    /// In dollars.
    std::vector<model::Tick> m_ticks;
    /// By its time, for bars move on.
    std::optional<model::Ms> m_chosen;
};

} // namespace weir::view
