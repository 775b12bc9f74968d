// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/style.h"

#include "agent/ctl/format.h"

#include <string_view>

namespace weir::ctl {
namespace {

/// Select Graphic Rendition parameters (ECMA-48 section 8.3.117), of the sixteen colours that every
/// terminal has and every theme makes readable.
std::string_view parametersOf(Style style)
{
    switch (style) {
    case Style::Plain:
        return "";
    case Style::Bold:
        return "1";
    case Style::Dim:
        return "2";
    case Style::Good:
        return "32";
    case Style::Warning:
        return "33";
    case Style::Bad:
        return "1;31";
    case Style::Accent:
        return "36";
    case Style::GoodPill:
        return "1;30;42";
    case Style::WarningPill:
        return "1;30;43";
    case Style::BadPill:
        return "1;97;41";
    case Style::AccentPill:
        return "1;30;46";
    }
    return "";
}

} // namespace

std::string toText(const Line& line, Paint paint)
{
    std::string text;
    for (const Span& span : line) {
        const std::string_view parameters = parametersOf(span.style);
        if (paint == Paint::Plain || parameters.empty()) {
            text += span.text;
        } else {
            text.append("\x1b[").append(parameters).append("m").append(span.text).append("\x1b[0m");
        }
    }
    if (paint == Paint::Plain) text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

std::size_t cellsOf(const Line& line)
{
    std::size_t cells = 0;
    for (const Span& span : line)
        cells += cellsOf(span.text);
    return cells;
}

Line cutEnd(const Line& line, std::size_t cells)
{
    if (cellsOf(line) <= cells) return line;
    Line kept;
    std::size_t left = cells;
    for (const Span& span : line) {
        const std::size_t wanted = cellsOf(span.text);
        // The ellipsis needs a cell of its own where a later span is cut away whole.
        if (wanted < left) {
            kept.push_back(span);
            left -= wanted;
            continue;
        }
        kept.push_back(
            {wanted == left ? cutEnd(span.text + "…", left) : cutEnd(span.text, left), span.style});
        break;
    }
    return kept;
}

} // namespace weir::ctl
