// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/readout.h"

#include "app/model/format.h"
#include "app/view/pieces.h"

#include <QPainter>

#include <cmath>

namespace weir::view {
namespace {

constexpr qreal kRow = 46.0;
constexpr qreal kFirstRow = 44.0;
constexpr qreal kIndent = 34.0;

std::optional<double> known(double value)
{
    if (!std::isfinite(value)) return std::nullopt;
    return value;
}

} // namespace

Readout::Readout(const Theme& theme, model::ChartFeed feed, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_feed(std::move(feed))
{
    setAccessibleName(QStringLiteral("Values under the crosshair"));
    connect(m_feed.window, &model::TimeWindow::crosshairMoved, this, qOverload<>(&QWidget::update));
}

void Readout::refresh()
{
    update();
}

model::Ms Readout::time() const
{
    const auto range = m_feed.window->span(m_feed.clock());
    return m_feed.window->crosshair().value_or(range.to);
}

void Readout::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isPointing = m_feed.window->crosshair().has_value();
    const QString latest =
        m_feed.window->isPaused() ? QStringLiteral("At the end, ") : QStringLiteral("Now, ");
    const QString when = isPointing ? QStringLiteral("At ") : latest;
    painter.setFont(uiFont(9.0, QFont::Medium));
    painter.setPen(m_theme.muted);
    painter.drawText(
        QRectF(0, 0, width(), 20),
        Qt::AlignLeft | Qt::AlignVCenter,
        when + model::clockText(fromEpochMs(time())));
    const QStringList captions{
        QStringLiteral("share"), QStringLiteral("TTFT"), QStringLiteral("req/s")};
    painter.setFont(uiFont(8.5));
    const qreal column = (width() - kIndent) / 3.0;
    for (int i = 0; i < captions.size(); ++i) {
        const QRectF box(kIndent + column * i, 20, column, 16);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, captions[i]);
    }
    const std::size_t count = m_feed.history().providers().size();
    const auto room = static_cast<std::size_t>(std::max(0.0, (height() - kFirstRow) / kRow));
    for (std::size_t p = 0; p < std::min(count, room); ++p) {
        paintRow(painter, kFirstRow + kRow * static_cast<qreal>(p), p, time());
    }
}

void Readout::paintRow(QPainter& painter, qreal y, std::size_t provider, model::Ms time) const
{
    const model::History& history = m_feed.history();
    const int index = static_cast<int>(provider);
    QPen pen(m_theme.provider(index), 2.0);
    pen.setCapStyle(Qt::FlatCap);
    if (const auto dash = dashOf(index); !dash.isEmpty()) pen.setDashPattern(dash);
    painter.setPen(pen);
    painter.drawLine(QPointF(0, y + 9.5), QPointF(26, y + 9.5));

    const QFont strong = uiFont(10.0, QFont::Medium);
    painter.setFont(strong);
    painter.setPen(m_theme.text);
    const QRectF name(kIndent, y, width() - kIndent, 18);
    const QString text = model::plain(history.providers()[provider]);
    painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter, elided(text, strong, name.width()));

    const auto value = [&](model::Quantity quantity) {
        return known(history.valueAt(provider, quantity, time));
    };
    const QFont small = uiFont(9.0);
    painter.setFont(small);
    painter.setPen(m_theme.muted);
    const qreal column = (width() - kIndent) / 3.0;
    const auto cell = [&](int at, const QString& words) {
        const QRectF box(kIndent + column * at, y + 18, column, 16);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, elided(words, small, column));
    };
    cell(0, model::percent(value(model::Quantity::Share)));
    cell(1, model::seconds(value(model::Quantity::TtftP50S)));
    cell(2, model::rate(value(model::Quantity::Rps)));
}

} // namespace weir::view
