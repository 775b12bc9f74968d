// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/clock.h"
#include "app/model/history.h"
#include "app/model/panel.h"
#include "app/model/time_window.h"

#include <functional>
#include <vector>

namespace weir::model {

/// What the charts of a page draw: a past, the stretch of it that is in view, and what is to be
/// marked or said on it. All of it outlives the charts.
struct ChartFeed
{
    TimeWindow* window;
    Clock clock;
    std::function<const History&()> history;
    std::function<PanelState()> panel;
    std::function<const std::vector<Annotation>&()> annotations;
};

} // namespace weir::model
