// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::ctl {

enum class Style : std::uint8_t {
    Plain,
    Bold,
    /// What is there to be looked up, not read.
    Dim,
    Good,
    Warning,
    Bad,
    Accent,
    /// White on a ground of the tone, for the one word that must be seen.
    GoodPill,
    WarningPill,
    BadPill,
    AccentPill,
};

/// A stretch of one look. The text is cleaned: it holds no control characters.
struct Span
{
    std::string text;
    Style style = Style::Plain;

    bool operator==(const Span&) const = default;
};

using Line = std::vector<Span>;

enum class Paint : std::uint8_t { Plain, Ansi };

/// One line of a terminal without its line end; without colours, no blanks at the end.
[[nodiscard]] std::string toText(const Line& line, Paint paint);

[[nodiscard]] std::size_t cellsOf(const Line& line);

/// At most `cells` wide, an ellipsis at the end where something was cut.
[[nodiscard]] Line cutEnd(const Line& line, std::size_t cells);

} // namespace weir::ctl
