// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/gauge.h"

namespace weir::fleet {

void GateCounters::note(const routing::GateEvent& event)
{
    switch (event.kind) {
    case routing::GateEventKind::Cut:
        ++cuts;
        cut = true;
        recovering = false;
        break;
    case routing::GateEventKind::GrowthRestarted:
        recovering = cut;
        cut = false;
        break;
    default:
        break;
    }
}

void GateCounters::note(const routing::RateMemory& rate)
{
    if (rate.rateMicro >= rate.beforeTroubleMicro) recovering = false;
}

} // namespace weir::fleet
