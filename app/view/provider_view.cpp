// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/provider_view.h"

#include "app/model/provider_table.h"
#include "app/view/provider_delegate.h"
#include "app/view/table_dress.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <array>

namespace weir::view {
namespace {

using model::ProviderTable;

constexpr int kRowHeight = 34;
constexpr int kHeaderHeight = 30;
constexpr int kRowsMax = 8;

/// Shares of the width, by column; they keep figures in place whatever they are.
constexpr std::array<int, ProviderTable::ColumnCount> kWidths{
    150, 130, 80, 78, 84, 84, 76, 80, 80, 112, 170};

} // namespace

ProviderView::ProviderView(const Theme& theme, QAbstractItemModel& table, QWidget* parent)
    : QTableView(parent)
    , m_theme(theme)
    , m_delegate(new ProviderDelegate(theme, this))
{
    setModel(&table);
    setItemDelegate(m_delegate);
    setAccessibleName(QStringLiteral("Providers"));
    dressTable(*this, theme, kRowHeight, kHeaderHeight);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto grow = [this] {
        updateGeometry();
        viewport()->update();
    };
    connect(&table, &QAbstractItemModel::rowsInserted, this, grow);
    connect(&table, &QAbstractItemModel::rowsRemoved, this, grow);
}

void ProviderView::setDimmed(bool isDimmed)
{
    if (isDimmed == m_isDimmed) return;
    m_isDimmed = isDimmed;
    m_delegate->setDimmed(isDimmed);
    viewport()->update();
}

void ProviderView::setNothingText(const QString& text)
{
    if (text == m_nothing) return;
    m_nothing = text;
    viewport()->update();
}

int ProviderView::wantedHeight() const
{
    const int rows = std::clamp(model()->rowCount(), 3, kRowsMax);
    return kHeaderHeight + rows * kRowHeight + 2;
}

QSize ProviderView::sizeHint() const
{
    return {900, wantedHeight()};
}

QSize ProviderView::minimumSizeHint() const
{
    return {600, wantedHeight()};
}

void ProviderView::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    if (model()->rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_nothing.isEmpty()) {
        painter.setFont(uiFont());
        painter.setPen(m_theme.muted);
        painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap, m_nothing);
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.skeleton);
    for (int row = 0; row < 3; ++row) {
        const qreal y = row * kRowHeight + 12.0;
        painter.drawRoundedRect(QRectF(10, y, 110, 10), 3, 3);
        painter.drawRoundedRect(QRectF(160, y, 90, 10), 3, 3);
        painter.drawRoundedRect(QRectF(320, y, std::max(0, viewport()->width() - 340), 10), 3, 3);
    }
}

void ProviderView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitColumns(*this, kWidths);
}

void ProviderView::keyPressEvent(QKeyEvent* event)
{
    // Space pauses the page, wherever the focus is in it.
    if (event->key() == Qt::Key_Space) {
        event->ignore();
        return;
    }
    QTableView::keyPressEvent(event);
}

} // namespace weir::view
