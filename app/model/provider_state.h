// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/signs.h"
#include "common/base/time.h"
#include "common/model/status.h"

#include <QString>
#include <QStringList>

namespace weir::model {

/// How one route stands, in one glyph and one word, with every reason behind it.
struct ProviderState
{
    Glyph glyph = Glyph::Circle;
    Tone tone = Tone::Stale;
    QString word;
    /// All of them, the worst first; empty for a healthy route.
    QStringList reasons;

    bool operator==(const ProviderState&) const = default;
};

/// Attempts of the last minute, all outcomes.
[[nodiscard]] std::int64_t attemptsOf(const RouteStatus& route);

/// Those that were neither served nor neutral: what made a request fail over or fail.
[[nodiscard]] std::int64_t failuresOf(const RouteStatus& route);

/// The last minute's attempts by outcome, most frequent first: "429 rate_limited 12, ok 4".
[[nodiscard]] QString outcomesText(const RouteStatus& route);

[[nodiscard]] ProviderState providerState(const RouteStatus& route, UtcTime now);

} // namespace weir::model
