// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/signs.h"
#include "app/model/time_series.h"
#include "common/base/result.h"
#include "common/base/time.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace weir::model {

/// One of the two doors to the world, as the status bar shows it.
struct Reach
{
    enum class State : std::uint8_t { Waiting, Reached, Lost };

    State state = State::Waiting;
    QString name;
    double latencyMs = 0.0;
    QString trouble;
    UtcTime retryAt{};
};

/// How a panel is to be drawn: with its data, or as what is the matter.
struct PanelState
{
    enum class Kind : std::uint8_t { Loading, Live, Empty, Stale, Error };

    Kind kind = Kind::Loading;
    QString text;
    /// Data is missing from here to now; nothing where none is.
    std::optional<UtcTime> staleSince;

    bool operator==(const PanelState&) const = default;
};

/// Of a panel that asks the store: what is to be drawn, and what to say of an answer that did not
/// come.
[[nodiscard]] PanelState
askedPanel(bool hasStore, bool hasValue, const std::optional<Error>& error, UtcTime lastGood);

/// A mark on every chart of a page: somebody turned the switch.
struct Annotation
{
    Ms time = 0;
    Glyph glyph = Glyph::Square;
    QString text;
};

} // namespace weir::model
