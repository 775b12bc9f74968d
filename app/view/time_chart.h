// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/chart_feed.h"
#include "app/model/time_axis.h"
#include "app/view/theme.h"

#include <QChartView>
#include <QPixmap>

#include <vector>

class QAreaSeries;
class QLineSeries;
class QValueAxis;

namespace weir::view {

struct ChartSpec
{
    QString title;
    model::Quantity quantity = model::Quantity::Share;
    bool isStacked = false;
    /// Values are multiplied by it before they are drawn.
    double factor = 1.0;
    QString unit;
    /// The top of the axis, or 0 where the data decides.
    double top = 0.0;
    /// Providers' names at the right edge; without, something else beside it says whose line is
    /// whose.
    bool isLabelled = true;
};

/// A chart over the page's time window. The series live in Qt Charts and are replaced once a
/// refresh with decimated points; the finished scene is kept as a picture, and crosshair and focus
/// are painted over that. Grid, labels, gaps and annotations are our own: Qt's axes know neither
/// nice steps nor UTC.
class TimeChart final : public QChartView
{
    Q_OBJECT

public:
    TimeChart(const Theme& theme, model::ChartFeed feed, ChartSpec spec, QWidget* parent = nullptr);
    ~TimeChart() override;

    /// Takes the newest data and time window.
    void refresh();

    /// Only this provider's line from the next refresh on; empty = all of them.
    void showOnly(const std::string& provider) { m_only = provider; }

    /// In the viewport's coordinates.
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] model::Ms timeAt(qreal x) const;
    [[nodiscard]] qreal xAt(model::Ms time) const;
    [[nodiscard]] qreal yAt(double value) const;

    [[nodiscard]] int renderCount() const { return m_renderCount; }

    [[nodiscard]] const std::vector<model::Tick>& timeTicks() const { return m_timeTicks; }

    [[nodiscard]] const std::vector<model::Span>& gaps() const { return m_gaps; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// Of one provider: an area between two bounds, or one line for each stretch with values.
    struct Series
    {
        QLineSeries* upper = nullptr;
        QLineSeries* lower = nullptr;
        std::vector<QLineSeries*> runs;
    };

    void addArea(int index);
    void showRuns(std::size_t provider, const std::vector<std::vector<QPointF>>& runs);
    void clear(Series& series);
    void fillLines();
    void fillStack();
    void fitAxes(double highest);
    void describe();
    [[nodiscard]] bool isLoading() const;
    [[nodiscard]] bool isShown(std::size_t provider) const;
    void renderCache();
    void paintGrid(QPainter& painter) const;
    void paintGaps(QPainter& painter) const;
    void paintAnnotations(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;
    void paintMessage(QPainter& painter) const;
    void paintCrosshair(QPainter& painter) const;

    const Theme& m_theme;
    model::ChartFeed m_feed;
    ChartSpec m_spec;
    std::string m_only;
    QValueAxis* m_x;
    QValueAxis* m_y;
    std::vector<Series> m_series;
    model::Span m_range;
    double m_top = 1.0;
    std::vector<model::Tick> m_timeTicks;
    std::vector<model::Tick> m_valueTicks;
    std::vector<model::Span> m_gaps;
    /// Where each provider's label wants to stand; NaN where it has no value.
    std::vector<double> m_labelValues;
    QPixmap m_cache;
    bool m_isDirty = true;
    int m_renderCount = 0;
};

} // namespace weir::view
