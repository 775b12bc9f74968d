// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/time_chart.h"

#include "app/model/format.h"

#include <QAreaSeries>
#include <QChart>
#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QLineSeries>
#include <QMouseEvent>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <limits>

namespace weir::view {
namespace {

// The left margin is the same for every chart, or a shared crosshair would lie.
constexpr qreal kLeft = 52.0;
constexpr qreal kRight = 96.0;
constexpr qreal kRightBare = 14.0;
constexpr qreal kTop = 14.0;
constexpr qreal kBottom = 24.0;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// More stretches than these are drawn as one series: a model hardly used for a day.
constexpr std::size_t kRunsMax = 48;

bool hasNothing(const std::vector<QPointF>& points)
{
    return std::ranges::any_of(
        points, [](const QPointF& point) { return !std::isfinite(point.y()); });
}

/// A single measurement would be a line without length.
void widenLonePoint(std::vector<QPointF>& run, model::Ms pixel)
{
    if (run.size() != 1) return;
    const auto half = static_cast<double>(pixel);
    run.push_back(run.front() + QPointF(half, 0.0));
    run.front().rx() -= half;
}

QList<QPointF> toList(const std::vector<QPointF>& points)
{
    return {points.begin(), points.end()};
}

} // namespace

TimeChart::TimeChart(const Theme& theme, model::ChartFeed feed, ChartSpec spec, QWidget* parent)
    : QChartView(new QChart, parent)
    , m_theme(theme)
    , m_feed(std::move(feed))
    , m_spec(std::move(spec))
    , m_x(new QValueAxis(this))
    , m_y(new QValueAxis(this))
{
    chart()->setBackgroundVisible(false);
    chart()->setMargins({});
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->legend()->hide();
    chart()->setAnimationOptions(QChart::NoAnimation);
    chart()->addAxis(m_x, Qt::AlignBottom);
    chart()->addAxis(m_y, Qt::AlignLeft);
    m_x->setVisible(false);
    m_y->setVisible(false);
    setBackgroundBrush(Qt::NoBrush);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumSize(260, 160);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(m_spec.title);
    connect(scene(), &QGraphicsScene::changed, this, [this] {
        m_isDirty = true;
        viewport()->update();
    });
    connect(
        m_feed.window,
        &model::TimeWindow::crosshairMoved,
        viewport(),
        qOverload<>(&QWidget::update));
    refresh();
}

// The series and axes belong to the chart, which belongs to this view's scene.
TimeChart::~TimeChart() = default;

void TimeChart::addArea(int index)
{
    Series& series = m_series.emplace_back();
    if (!m_spec.isStacked) return;
    series.upper = new QLineSeries;
    // Without a lower bound an area reaches down to the plot's edge, not to zero.
    series.lower = new QLineSeries;
    auto* area = new QAreaSeries(series.upper, series.lower);
    // The area draws its bounds, but does not own them.
    series.upper->setParent(area);
    series.lower->setParent(area);
    QColor fill = m_theme.provider(index);
    fill.setAlphaF(m_theme.isDark ? 0.75F : 0.8F);
    area->setBrush(fill);
    area->setPen(QPen(m_theme.card, 1.0));
    chart()->addSeries(area);
    area->attachAxis(m_x);
    area->attachAxis(m_y);
}

void TimeChart::showRuns(std::size_t provider, const std::vector<std::vector<QPointF>>& runs)
{
    Series& series = m_series[provider];
    const int index = static_cast<int>(provider);
    while (series.runs.size() < runs.size()) {
        auto* line = new QLineSeries;
        chart()->addSeries(line);
        line->attachAxis(m_x);
        line->attachAxis(m_y);
        series.runs.push_back(line);
    }
    // Many stretches in one series hold NaN points, which only a solid pen leaves out.
    const bool isWhole = runs.size() == 1 && hasNothing(runs.front());
    QPen pen(m_theme.provider(index), 1.8);
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::RoundJoin);
    if (const auto dash = dashOf(index); !dash.isEmpty() && !isWhole) pen.setDashPattern(dash);
    for (std::size_t i = 0; i < series.runs.size(); ++i) {
        if (series.runs[i]->pen() != pen) series.runs[i]->setPen(pen);
        series.runs[i]->replace(i < runs.size() ? toList(runs[i]) : QList<QPointF>{});
    }
}

void TimeChart::clear(Series& series)
{
    for (QLineSeries* run : series.runs)
        run->replace(QList<QPointF>{});
    if (series.upper == nullptr) return;
    series.upper->replace(QList<QPointF>{});
    series.lower->replace(QList<QPointF>{});
}

void TimeChart::refresh()
{
    const model::History& history = m_feed.history();
    m_range = m_feed.window->span(m_feed.clock());
    while (m_series.size() < history.providers().size()) {
        addArea(static_cast<int>(m_series.size()));
    }
    // A model with fewer providers than the one before leaves series over.
    for (std::size_t i = history.providers().size(); i < m_series.size(); ++i)
        clear(m_series[i]);
    m_labelValues.assign(history.providers().size(), kNothing);
    m_gaps = model::gapsIn(history.times(), history.steps(), m_range);
    m_spec.isStacked ? fillStack() : fillLines();
    m_timeTicks = model::timeTicks(m_range, std::max(2, static_cast<int>(plot().width() / 80.0)));
    describe();
    m_isDirty = true;
    viewport()->update();
}

bool TimeChart::isShown(std::size_t provider) const
{
    return m_only.empty() || m_feed.history().providers()[provider] == m_only;
}

void TimeChart::fillLines()
{
    const model::History& history = m_feed.history();
    const int pixels = std::max(1, static_cast<int>(plot().width()));
    double highest = 0.0;
    for (std::size_t p = 0; p < history.providers().size(); ++p) {
        if (!isShown(p)) {
            clear(m_series[p]);
            continue;
        }
        auto points = model::decimateMinMax(history.column(p, m_spec.quantity), m_range, pixels);
        for (QPointF& point : points) {
            point.setY(point.y() * m_spec.factor);
            if (std::isfinite(point.y())) highest = std::max(highest, point.y());
        }
        m_labelValues[p] = history.valueAt(p, m_spec.quantity, m_range.to) * m_spec.factor;
        // Qt Charts breaks a solid line at NaN, but carries a dashed one across: hence one line a
        // run.
        auto runs = model::runsOf(points);
        if (runs.size() > kRunsMax) runs = {points};
        for (auto& run : runs)
            widenLonePoint(run, m_range.length() / pixels);
        showRuns(p, runs);
    }
    fitAxes(highest);
}

void TimeChart::fillStack()
{
    const model::History& history = m_feed.history();
    // An area needs fewer points than a line: two pixels a point cannot be told from one.
    const int pixels = std::max(1, static_cast<int>(plot().width() / 2.0));
    std::vector<QPointF> base;
    double highest = 0.0;
    double labelBase = 0.0;
    for (std::size_t p = 0; p < history.providers().size(); ++p) {
        auto points = model::decimateMean(history.column(p, m_spec.quantity), m_range, pixels);
        if (base.empty()) {
            base = points;
            for (QPointF& point : base)
                point.setY(0.0);
        }
        for (std::size_t i = 0; i < points.size(); ++i) {
            points[i].setY(points[i].y() * m_spec.factor + base[i].y());
            highest = std::max(highest, points[i].y());
        }
        m_series[p].lower->replace(toList(base));
        m_series[p].upper->replace(toList(points));
        const double value = history.valueAt(p, m_spec.quantity, m_range.to) * m_spec.factor;
        if (std::isfinite(value) && value > 0.0) {
            m_labelValues[p] = labelBase + value / 2.0;
            labelBase += value;
        }
        base = std::move(points);
    }
    fitAxes(highest);
}

void TimeChart::fitAxes(double highest)
{
    const double wanted = m_spec.top > 0.0 ? m_spec.top : highest;
    m_valueTicks = model::valueTicks(wanted, 4, m_spec.unit);
    m_top = m_valueTicks.back().value;
    m_x->setRange(static_cast<double>(m_range.from), static_cast<double>(m_range.to));
    m_y->setRange(0.0, m_top);
    const QRectF area = plot();
    if (chart()->plotArea() != area) chart()->setPlotArea(area);
    chart()->layout()->activate();
}

void TimeChart::describe()
{
    const model::History& history = m_feed.history();
    QStringList parts;
    for (std::size_t p = 0; p < history.providers().size(); ++p) {
        if (!isShown(p)) continue;
        const double value = history.valueAt(p, m_spec.quantity, m_range.to) * m_spec.factor;
        const QString text = std::isfinite(value)
                                 ? QString::number(value, 'f', 2) + QChar(' ') + m_spec.unit
                                 : model::unknown();
        parts << model::plain(history.providers()[p]) + QChar(' ') + text;
    }
    const QString latest =
        parts.isEmpty() ? QStringLiteral("no data") : parts.join(QStringLiteral(", "));
    setAccessibleDescription(QStringLiteral("Latest: ") + latest);
}

QRectF TimeChart::plot() const
{
    const QSizeF size = viewport()->size();
    const qreal right = m_spec.isLabelled ? kRight : kRightBare;
    return {
        kLeft,
        kTop,
        std::max(10.0, size.width() - kLeft - right),
        std::max(10.0, size.height() - kTop - kBottom)};
}

model::Ms TimeChart::timeAt(qreal x) const
{
    const QRectF area = plot();
    const double part = std::clamp((x - area.left()) / area.width(), 0.0, 1.0);
    return m_range.from + static_cast<model::Ms>(part * static_cast<double>(m_range.length()));
}

qreal TimeChart::xAt(model::Ms time) const
{
    const QRectF area = plot();
    const auto since = static_cast<double>(time - m_range.from);
    return area.left() +
           area.width() * since / static_cast<double>(std::max<model::Ms>(1, m_range.length()));
}

qreal TimeChart::yAt(double value) const
{
    const QRectF area = plot();
    return area.bottom() - area.height() * value / m_top;
}

void TimeChart::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    refresh();
}

void TimeChart::mouseMoveEvent(QMouseEvent* event)
{
    // Whole seconds, so that every chart and the readout say the same.
    m_feed.window->pointAt(timeAt(event->position().x()) / 1000 * 1000);
}

void TimeChart::leaveEvent(QEvent* event)
{
    QChartView::leaveEvent(event);
    m_feed.window->pointAt(std::nullopt);
}

void TimeChart::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    event->accept();
}

void TimeChart::wheelEvent(QWheelEvent* event)
{
    event->ignore();
}

void TimeChart::keyPressEvent(QKeyEvent* event)
{
    // The scroll area would take the arrow keys; they move the page's crosshair.
    event->ignore();
}

} // namespace weir::view
