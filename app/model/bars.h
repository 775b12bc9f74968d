// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/panel.h"
#include "app/model/time_series.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::model {

/// What one whole step of time cost.
struct CostBar
{
    Ms from = 0;
    /// Micro-dollars, one a provider.
    std::vector<std::int64_t> costs;
    std::int64_t attempts = 0;
    /// Of these, attempts whose cost is not known.
    std::int64_t unknown = 0;
    /// The step is not over: the bar still grows.
    bool isPartial = false;

    /// Of what is known.
    [[nodiscard]] std::int64_t total() const;
};

/// Cost by provider, a bar for each step of a range, those without attempts too.
struct CostBars
{
    Span range;
    Ms step = 1;
    /// In the order of their colours.
    std::vector<std::string> providers;
    std::vector<CostBar> bars;

    /// Micro-dollars; nothing where no attempt's cost is known.
    [[nodiscard]] std::optional<std::int64_t> total() const;
    /// "30 Nov 09:00Z to 10:00Z" of one bar, "30 Nov" of a day.
    [[nodiscard]] QString timeText(const CostBar& bar) const;
    /// One bar in words: when, how much, and by whom.
    [[nodiscard]] QString textOf(const CostBar& bar) const;
};

/// "30 Nov 10:15Z".
[[nodiscard]] QString momentText(Ms time);

} // namespace weir::model
