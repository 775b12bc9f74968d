// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/incident_lanes.h"
#include "app/model/time_window.h"
#include "app/view/theme.h"

#include <QWidget>

#include <vector>

namespace weir::view {

/// Lanes over a common time: who was in which state when, and what people did. A click on an
/// incident opens it. Not a Tab stop: whatever it shows is in the tables below it, too, and in its
/// accessible description.
class LaneView final : public QWidget
{
    Q_OBJECT

public:
    explicit LaneView(const Theme& theme, QWidget* parent = nullptr);

    /// The crosshair of a page's charts; must outlive the view.
    void follow(model::TimeWindow& window);
    void show(model::Span range, const std::vector<model::Lane>& lanes);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// What stands there; empty where nothing.
    [[nodiscard]] QString textAt(const QPointF& point) const;
    [[nodiscard]] QPointF pointOf(std::size_t lane, model::Ms time) const;

signals:
    void opened(const QString& incident);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QRectF track(std::size_t lane) const;
    [[nodiscard]] qreal xAt(model::Ms time) const;
    [[nodiscard]] QRectF boxOf(std::size_t lane, const model::LaneSpan& span) const;
    [[nodiscard]] const model::LaneSpan* spanAt(const QPointF& point) const;
    void paintAxis(QPainter& painter) const;
    void paintName(QPainter& painter, std::size_t lane) const;
    void paintSpan(QPainter& painter, const QRectF& box, const model::LaneSpan& span) const;
    void paintMarks(QPainter& painter, std::size_t lane) const;
    void paintCrosshair(QPainter& painter) const;

    const Theme& m_theme;
    model::TimeWindow* m_window = nullptr;
    model::Span m_range;
    std::vector<model::Lane> m_lanes;
};

} // namespace weir::view
