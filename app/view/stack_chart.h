// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/panel.h"
#include "app/model/stacks.h"
#include "app/view/theme.h"

#include <QWidget>

namespace weir::view {

/// Stacked bars with their names beside them; a tooltip says what a column stands for.
class StackChart final : public QWidget
{
    Q_OBJECT

public:
    StackChart(const Theme& theme, const QString& name, QWidget* parent = nullptr);

    void show(const model::Stacks& bars, const model::PanelState& state);

    [[nodiscard]] QSize sizeHint() const override { return {600, 260}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QColor colourOf(std::size_t series) const;
    void paintAxis(QPainter& painter, const QRectF& box, double top) const;
    void paintBars(QPainter& painter, const QRectF& box, double top) const;
    void paintLegend(QPainter& painter, const QRectF& box) const;

    const Theme& m_theme;
    model::Stacks m_bars;
    model::PanelState m_state;
};

} // namespace weir::view
