// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/theme.h"

#include <span>

class QTableView;

namespace weir::view {

/// What every table of the console has in common: whole rows are chosen, one at a time, nothing is
/// edited in place, and the titles are quiet.
void dressTable(QTableView& table, const Theme& theme, int rowHeight, int headerHeight);

/// Shares the width of the table out in proportion; the last column takes what is left.
void fitColumns(QTableView& table, std::span<const int> widths);

} // namespace weir::view
