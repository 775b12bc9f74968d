// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/grid_view.h"

#include "app/view/glyphs.h"
#include "app/view/pieces.h"
#include "app/view/table_dress.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace weir::view {
namespace {

using model::Grid;
using model::GridCell;

constexpr int kRowHeight = 30;
constexpr int kHeaderHeight = 30;
constexpr qreal kPad = 10.0;
constexpr qreal kStaleOpacity = 0.45;

QColor inkOf(const Theme& theme, const GridCell& cell)
{
    const bool isUnknown = cell.text == QStringLiteral("—");
    return cell.isFaint || isUnknown ? theme.muted : theme.ink(cell.tone);
}

void paintCell(QPainter& painter, QRectF box, const Theme& theme, const QModelIndex& index)
{
    const auto cell = index.data(Grid::CellRole).value<GridCell>();
    if (cell.glyph) {
        paintState(painter, box, theme, *cell.glyph, cell.tone, cell.text);
        return;
    }
    if (cell.colour) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.provider(*cell.colour));
        painter.drawRoundedRect(QRectF(box.left(), box.center().y() - 5, 10, 10), 2.5, 2.5);
        box.adjust(18, 0, 0, 0);
    }
    const QFont font = index.data(Grid::IsMonoRole).toBool() ? monoFont(9.0) : uiFont();
    const auto side = index.data(Grid::IsNumberRole).toBool() ? Qt::AlignRight : Qt::AlignLeft;
    painter.setFont(font);
    painter.setPen(inkOf(theme, cell));
    painter.drawText(box, side | Qt::AlignVCenter, elided(cell.text, font, box.width()));
}

} // namespace

GridDelegate::GridDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{
}

void GridDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool isChosen = (option.state & QStyle::State_Selected) != 0;
    const bool isHovered = (option.state & QStyle::State_MouseOver) != 0;
    if (isChosen || isHovered) painter->fillRect(option.rect, m_theme.hover);
    if (isChosen && index.column() == 0) {
        painter->fillRect(option.rect.adjusted(0, 0, 3 - option.rect.width(), 0), m_theme.accent);
    }
    painter->fillRect(
        QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), m_theme.grid);
    if (m_isDimmed) painter->setOpacity(kStaleOpacity);
    paintCell(*painter, QRectF(option.rect).adjusted(kPad, 0, -kPad, 0), m_theme, index);
    painter->restore();
}

GridView::GridView(const Theme& theme, model::Grid& grid, const QString& name, QWidget* parent)
    : QTableView(parent)
    , m_theme(theme)
    , m_grid(grid)
    , m_delegate(new GridDelegate(theme, this))
{
    setModel(&grid);
    setItemDelegate(m_delegate);
    setAccessibleName(name);
    dressTable(*this, theme, kRowHeight, kHeaderHeight);
    setWordWrap(false);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    connect(&grid, &QAbstractItemModel::layoutChanged, this, [this] {
        updateGeometry();
        viewport()->update();
    });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        emit opened(m_grid.keyAt(index.row()));
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        if (value > 0 && value == verticalScrollBar()->maximum()) emit endReached();
    });
}

void GridView::setNothingText(const QString& text)
{
    if (text == m_nothing) return;
    m_nothing = text;
    viewport()->update();
}

void GridView::setDimmed(bool isDimmed)
{
    m_delegate->setDimmed(isDimmed);
    viewport()->update();
}

void GridView::fitRows(int least, int most)
{
    m_leastRows = least;
    m_mostRows = most;
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    updateGeometry();
}

void GridView::choose(const QString& key)
{
    const int row = m_grid.rowOf(key);
    if (row >= 0 && row != currentIndex().row()) selectRow(row);
}

QString GridView::chosen() const
{
    return m_grid.keyAt(currentIndex().row());
}

int GridView::heightOf(int rows) const
{
    return kHeaderHeight + rows * kRowHeight + 2;
}

QSize GridView::sizeHint() const
{
    if (m_mostRows == 0) return {600, heightOf(8)};
    return {600, heightOf(std::clamp(m_grid.rowCount(), m_leastRows, m_mostRows))};
}

QSize GridView::minimumSizeHint() const
{
    return {200, m_mostRows == 0 ? heightOf(3) : sizeHint().height()};
}

void GridView::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.accent, 1.5));
        painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
    if (m_grid.rowCount() > 0) return;
    if (!m_nothing.isEmpty()) {
        painter.setFont(uiFont());
        painter.setPen(m_theme.muted);
        const QRect box = viewport()->rect().adjusted(24, 0, -24, 0);
        painter.drawText(box, Qt::AlignCenter | Qt::TextWordWrap, m_nothing);
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.skeleton);
    for (int row = 0; row < 3; ++row) {
        const qreal y = row * kRowHeight + 10.0;
        painter.drawRoundedRect(QRectF(10, y, 110, 10), 3, 3);
        painter.drawRoundedRect(QRectF(160, y, std::max(0, viewport()->width() - 180), 10), 3, 3);
    }
}

void GridView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void GridView::fitColumns()
{
    std::vector<int> widths;
    for (const model::GridColumn& column : m_grid.columns())
        widths.push_back(column.width);
    view::fitColumns(*this, widths);
}

void GridView::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && !chosen().isEmpty()) {
        emit opened(chosen());
        return;
    }
    if (event->matches(QKeySequence::Copy)) {
        copyChosen();
        return;
    }
    // Single keys are the page's, wherever the focus is in it; a table would search its rows.
    const bool isForPage = event->text().size() == 1 && event->text().front().isPrint() &&
                           (event->modifiers() & Qt::ControlModifier) == 0;
    const bool isSideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (isForPage || isSideways) {
        event->ignore();
        return;
    }
    QTableView::keyPressEvent(event);
}

void GridView::copyChosen() const
{
    const int row = currentIndex().row();
    if (row < 0) return;
    QStringList cells;
    for (const GridCell& cell : m_grid.rows()[static_cast<std::size_t>(row)].cells)
        cells << cell.text;
    QApplication::clipboard()->setText(cells.join(QChar('\t')));
}

void GridView::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    if (current.row() != previous.row()) emit chosenChanged(m_grid.keyAt(current.row()));
}

} // namespace weir::view
