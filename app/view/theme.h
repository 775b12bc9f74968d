// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/signs.h"

#include <QColor>
#include <QFont>
#include <QList>
#include <QPalette>

#include <array>

namespace weir::view {

/// Colours and fonts of the whole console. Provider colours have at least 3:1 against the card in
/// their theme and stay apart for protan, deutan and tritan eyes; states have a glyph and a word
/// beside their colour.
struct Theme
{
    bool isDark = false;
    QColor window;
    QColor card;
    QColor border;
    QColor grid;
    QColor text;
    QColor muted;
    QColor accent;
    QColor hover;
    /// For what is not there yet, and the hatch over missing data.
    QColor skeleton;
    std::array<QColor, 6> providers;
    /// By Tone: text on a card, fill of a chip, text on that fill.
    std::array<QColor, 6> toneText;
    std::array<QColor, 6> toneFill;
    std::array<QColor, 6> toneOnFill;

    [[nodiscard]] QColor provider(int index) const;
    [[nodiscard]] QColor ink(model::Tone tone) const;
    [[nodiscard]] QColor fill(model::Tone tone) const;
    [[nodiscard]] QColor onFill(model::Tone tone) const;
    [[nodiscard]] QPalette palette() const;

    [[nodiscard]] static const Theme& light();
    [[nodiscard]] static const Theme& dark();
};

/// The dash of a provider's line, in pen widths; empty = solid.
[[nodiscard]] QList<qreal> dashOf(int index);

/// Roboto: its digits are equally wide, so that ticking numbers stand still.
[[nodiscard]] QFont uiFont(qreal points = 10.0, QFont::Weight weight = QFont::Normal);
/// JetBrains Mono, for ids and clocks.
[[nodiscard]] QFont monoFont(qreal points = 9.0);

} // namespace weir::view
