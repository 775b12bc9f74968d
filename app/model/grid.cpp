// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/grid.h"

#include <algorithm>

namespace weir::model {
namespace {

QString quoted(QString text)
{
    // Names come from outside; a spreadsheet runs what begins like a formula.
    if (!text.isEmpty() && QStringLiteral("=+-@\t\r").contains(text.front())) text.prepend('\'');
    const bool isPlain = std::ranges::none_of(text, [](QChar c) {
        return c == QChar('"') || c == QChar(',') || c == QChar('\n') || c == QChar('\r');
    });
    if (isPlain) return text;
    return QChar('"') + text.replace(QChar('"'), QStringLiteral("\"\"")) + QChar('"');
}

bool haveSameKeys(const std::vector<GridRow>& left, const std::vector<GridRow>& right)
{
    return std::ranges::equal(left, right, {}, &GridRow::key, &GridRow::key);
}

} // namespace

Grid::Grid(std::vector<GridColumn> columns, QObject* parent)
    : QAbstractTableModel(parent)
    , m_columns(std::move(columns))
{
}

void Grid::apply(std::vector<GridRow> rows)
{
    if (haveSameKeys(m_rows, rows)) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (m_rows[i] == rows[i]) continue;
            m_rows[i] = std::move(rows[i]);
            const int row = static_cast<int>(i);
            emit dataChanged(index(row, 0), index(row, columnCount() - 1));
        }
        return;
    }
    // Whatever points at a row goes on pointing at its key, wherever that stands now.
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    QStringList keys;
    for (const QModelIndex& index : before)
        keys << keyAt(index.row());
    m_rows = std::move(rows);
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const int row = rowOf(keys[i]);
        after << (row < 0 ? QModelIndex() : index(row, before[i].column()));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged();
}

QString Grid::keyAt(int row) const
{
    const bool isThere = row >= 0 && row < rowCount();
    return isThere ? m_rows[static_cast<std::size_t>(row)].key : QString();
}

int Grid::rowOf(const QString& key) const
{
    const auto found = std::ranges::find(m_rows, key, &GridRow::key);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

QString Grid::csv() const
{
    QString text;
    const auto addLine = [&text](const QStringList& cells) {
        text += cells.join(QChar(',')) + QStringLiteral("\r\n");
    };
    QStringList titles;
    for (const GridColumn& column : m_columns)
        titles << quoted(column.title);
    addLine(titles);
    for (const GridRow& row : m_rows) {
        QStringList cells;
        for (const GridCell& cell : row.cells)
            cells << quoted(cell.text);
        addLine(cells);
    }
    return text;
}

int Grid::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int Grid::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant Grid::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const GridColumn& column = m_columns[static_cast<std::size_t>(index.column())];
    const GridRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const GridCell& cell = row.cells[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::ToolTipRole:
        // Text from outside is shown as it is, never as markup.
        return cell.tip.isEmpty() ? QVariant() : QVariant(cell.tip.toHtmlEscaped());
    case Qt::AccessibleTextRole:
        return column.title + QChar(' ') + cell.text;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            column.isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case CellRole:
        return QVariant::fromValue(cell);
    case KeyRole:
        return row.key;
    case IsNumberRole:
        return column.isNumber;
    case IsMonoRole:
        return column.isMono;
    default:
        return {};
    }
}

QVariant Grid::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const GridColumn& column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return column.title;
    if (role == Qt::ToolTipRole && !column.tip.isEmpty()) return column.tip.toHtmlEscaped();
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(
            column.isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    }
    return {};
}

} // namespace weir::model
