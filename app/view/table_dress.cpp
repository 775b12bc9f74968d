// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/table_dress.h"

#include <QHeaderView>
#include <QTableView>

#include <numeric>

namespace weir::view {

void dressTable(QTableView& table, const Theme& theme, int rowHeight, int headerHeight)
{
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setMouseTracking(true);
    table.setTabKeyNavigation(false);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(rowHeight);
    auto* header = table.horizontalHeader();
    header->setFixedHeight(headerHeight);
    header->setFont(uiFont(9.0, QFont::Medium));
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setMinimumSectionSize(20);
    header->setHighlightSections(false);
    header->setStyleSheet(QStringLiteral("QHeaderView{background:%1;border:0}"
                                         "QHeaderView::section{background:%1;color:%2;border:0;"
                                         "border-bottom:1px solid %3;padding:0 10px}")
                              .arg(theme.card.name(), theme.muted.name(), theme.border.name()));
}

void fitColumns(QTableView& table, std::span<const int> widths)
{
    const int sum = std::accumulate(widths.begin(), widths.end(), 0);
    const int available = table.viewport()->width();
    int used = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const bool isLast = i + 1 == widths.size();
        const int width = isLast ? available - used : widths[i] * available / sum;
        table.setColumnWidth(static_cast<int>(i), width);
        used += width;
    }
}

} // namespace weir::view
