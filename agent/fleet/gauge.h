// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/gate_view.h"
#include "common/routing/gate_event.h"
#include "common/routing/gate_state.h"

#include <cstdint>

namespace weir::fleet {

/// What happened to a gate so far.
struct GateCounters
{
    std::int64_t cuts = 0;
    /// R was cut and has not grown since.
    bool cut = false;
    /// Below what it was before the last cut, but growing.
    bool recovering = false;

    void note(const routing::GateEvent& event);
    /// After a step: whether R is where it was before.
    void note(const routing::RateMemory& rate);

    bool operator==(const GateCounters&) const = default;
};

/// What a route's gate says now, for people and for the summary job.
struct GateGauge : GateCounters
{
    GateView view;
    std::int64_t demandMilliRps = 0;
    /// What the route's quota comes to in calls of the usual size; -1 = not known.
    std::int64_t quotaMilliRps = -1;
};

} // namespace weir::fleet
