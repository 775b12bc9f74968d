// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/store/store.h"
#include "app/model/history.h"
#include "app/model/time_series.h"
#include "common/model/store_rows.h"

#include <string>
#include <vector>

namespace weir::model {

/// What the store's history says of a stretch of time: slices of one step.
struct Past
{
    Span span;
    Ms step = 60'000;
    std::vector<RouteSlice> slices;
};

/// Of one model, or of all together where it is empty; in steps as fine as the store still has
/// them, at most `points` of them.
[[nodiscard]] Result<Past>
readPast(store::Store& store, const std::string& model, Span span, UtcTime now, int points);

[[nodiscard]] History historyOf(const Past& past);

} // namespace weir::model
