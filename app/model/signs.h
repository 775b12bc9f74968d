// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace weir::model {

/// Shapes that stand for a state beside its word; the view paints them as paths, because font
/// glyphs of these shapes come from fallback fonts and miss the baseline.
enum class Glyph : std::uint8_t {
    Disc,             ///< ● healthy, adaptive
    TriangleDown,     ///< ▼ backing off
    TriangleDownOpen, ///< ▽ recovering
    HalfDisc,         ///< ◐ slow
    Diamond,          ///< ◆ exploring
    Square,           ///< ■ closed off; fixed order
    DiamondOpen,      ///< ◇ half open
    Bars,             ///< ‖ drained by a person
    Circle,           ///< ○ no data, unknown
    HalfSquare,       ///< ◧ mixed
    Cross,            ///< × failing, not written
    Check,            ///< done
    Warning,          ///< a triangle with a bar
};

/// What a state means; the theme gives it colours. Off is a chosen state, not an alarm.
enum class Tone : std::uint8_t { Neutral, Ok, Stale, Warning, Critical, Off };

} // namespace weir::model
