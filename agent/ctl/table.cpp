// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/table.h"

#include "agent/ctl/format.h"
#include "common/base/assert.h"

#include <algorithm>
#include <numeric>

namespace weir::ctl {
namespace {

constexpr std::size_t kGap = 2;

/// A column that is shown, and how wide.
struct Shown
{
    std::size_t index = 0;
    std::size_t width = 0;
};

std::vector<Shown> naturalWidths(const Table& table)
{
    std::vector<Shown> shown;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        std::size_t width = std::max(cellsOf(table.columns[i].header), table.columns[i].atLeast);
        for (const Row& row : table.rows) {
            if (i < row.cells.size()) width = std::max(width, cellsOf(row.cells[i].text));
        }
        shown.push_back({i, width});
    }
    return shown;
}

std::size_t totalOf(const std::vector<Shown>& shown, std::size_t indent)
{
    const std::size_t gaps = shown.empty() ? 0 : kGap * (shown.size() - 1);
    return std::accumulate(
        shown.begin(), shown.end(), indent + gaps, [](std::size_t sum, const Shown& one) {
            return sum + one.width;
        });
}

/// `shown` with its shrinking columns as narrow as `width` needs and they may be.
std::vector<Shown> shrunk(std::vector<Shown> shown, const Table& table, std::size_t width)
{
    for (Shown& one : shown) {
        const std::size_t total = totalOf(shown, table.indent);
        const std::optional<std::size_t> least = table.columns[one.index].shrinksTo;
        if (total <= width || !least || one.width <= *least) continue;
        one.width = std::max(*least, one.width - std::min(one.width, total - width));
    }
    return shown;
}

std::vector<Shown> fit(const Table& table, std::size_t width)
{
    std::vector<Shown> natural = naturalWidths(table);
    for (;;) {
        std::vector<Shown> shown = shrunk(natural, table, width);
        const auto first =
            std::max_element(natural.begin(), natural.end(), [&](const auto& a, const auto& b) {
                return table.columns[a.index].dropRank < table.columns[b.index].dropRank;
            });
        const bool mayDrop = first != natural.end() && table.columns[first->index].dropRank > 0;
        if (totalOf(shown, table.indent) <= width || !mayDrop) return shown;
        natural.erase(first);
    }
}

Line lineOf(
    const Table& table,
    const std::vector<Shown>& shown,
    const std::vector<Span>& cells,
    std::size_t width)
{
    Line line;
    if (table.indent > 0) line.push_back({std::string(table.indent, ' ')});
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const Column& column = table.columns[shown[i].index];
        const Span cell = shown[i].index < cells.size() ? cells[shown[i].index] : Span{};
        const std::string text = column.cut == Column::Cut::Middle
                                     ? cutMiddle(cell.text, shown[i].width)
                                     : cutEnd(cell.text, shown[i].width);
        const std::string blanks(shown[i].width - cellsOf(text), ' ');
        const bool isRight = column.align == Column::Align::Right;
        if (i > 0) line.push_back({std::string(kGap, ' ')});
        if (isRight && !blanks.empty()) line.push_back({blanks});
        line.push_back({text, cell.style});
        if (!isRight && !blanks.empty()) line.push_back({blanks});
    }
    return cutEnd(line, width);
}

} // namespace

Column column(const char* header, int dropRank, Column::Align align)
{
    Column made;
    made.header = header;
    made.dropRank = dropRank;
    made.align = align;
    return made;
}

std::vector<Line> layOut(const Table& table, std::size_t width)
{
    const std::vector<Shown> shown = fit(table, width);
    std::vector<Span> headers;
    for (const Column& column : table.columns)
        headers.push_back({column.header, Style::Dim});
    std::vector<Line> lines{lineOf(table, shown, headers, width)};
    for (const Row& row : table.rows) {
        WEIR_ASSERT(row.cells.size() <= table.columns.size());
        lines.push_back(
            row.cells.empty() ? cutEnd(row.heading, width)
                              : lineOf(table, shown, row.cells, width));
    }
    return lines;
}

} // namespace weir::ctl
