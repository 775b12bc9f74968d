// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/chart_feed.h"
#include "app/view/theme.h"

#include <QWidget>

namespace weir::view {

/// The values of all charts at one time: under the crosshair, or now. Also the charts' legend, with
/// each provider's colour and dash.
class Readout final : public QWidget
{
    Q_OBJECT

public:
    Readout(const Theme& theme, model::ChartFeed feed, QWidget* parent = nullptr);

    void refresh();

    [[nodiscard]] QSize sizeHint() const override { return {250, 200}; }

    [[nodiscard]] QSize minimumSizeHint() const override { return {230, 160}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintRow(QPainter& painter, qreal y, std::size_t provider, model::Ms time) const;
    [[nodiscard]] model::Ms time() const;

    const Theme& m_theme;
    model::ChartFeed m_feed;
};

} // namespace weir::view
