// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/style.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::ctl {

struct Column
{
    std::string header;
    enum class Align : std::uint8_t { Left, Right } align = Align::Left;
    /// Where the line is too narrow, the column with the highest rank goes first; 0 never goes.
    int dropRank = 0;
    /// Where that helps, the column is cut down to this, before any column goes.
    std::optional<std::size_t> shrinksTo;
    /// In the middle: for names whose both ends tell them apart.
    enum class Cut : std::uint8_t { End, Middle } cut = Cut::End;
    /// Never narrower, where there is room: so that a live table stands still.
    std::size_t atLeast = 0;
};

struct Row
{
    /// A line over the whole width instead of cells.
    Line heading;
    std::vector<Span> cells;
};

struct Table
{
    std::vector<Column> columns;
    std::vector<Row> rows;
    /// Cells before the first column of rows that are not headings.
    std::size_t indent = 0;
};

/// A column with nothing out of the ordinary.
[[nodiscard]] Column
column(const char* header, int dropRank = 0, Column::Align align = Column::Align::Left);

inline constexpr std::size_t kUnlimited = 100'000;

/// The table as lines no wider than `width` cells, its header first.
[[nodiscard]] std::vector<Line> layOut(const Table& table, std::size_t width);

} // namespace weir::ctl
