// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/gauge.h"
#include "agent/fleet/route_states.h"
#include "common/base/time.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace weir::fleet {

/// What of a gate outlives the process.
struct SavedGate
{
    std::string model;
    std::string provider;
    std::string state;
};

/// The other half of all gates: for one agent in this process, for a fleet in Redis. Any thread.
class Gates
{
public:
    Gates() = default;
    virtual ~Gates() = default;
    Gates(const Gates&) = delete;
    Gates& operator=(const Gates&) = delete;

    /// Before the first exchange: these routes were used before. A state that cannot be read counts
    /// as none; its route is still a known one. So are all routes of a model of which none is
    /// saved.
    virtual void restore(const std::vector<SavedGate>& saved, Instant now) = 0;

    /// Of the routes that were ever used, those that may have changed since this was last called.
    [[nodiscard]] virtual std::vector<SavedGate> save() = 0;

    [[nodiscard]] virtual std::map<RouteStates::Key, GateGauge> gauges(Instant now) const = 0;
    /// Demand of the whole model.
    [[nodiscard]] virtual std::int64_t demandMilliRps(const std::string& model) const = 0;

    /// So often a shared memory was found without its state since this process began.
    [[nodiscard]] virtual std::int64_t emptied() const { return 0; }
};

/// What `restore` says of routes: tells the known ones that they are, and returns them.
[[nodiscard]] std::set<RouteStates::Key>
markEverUsed(RouteStates& states, const std::vector<SavedGate>& saved, Instant now);

/// All routes of a provider saved the same hold, each at its own time.
[[nodiscard]] bool isNewer(const routing::AccountHold& hold, const routing::AccountHold& than);

} // namespace weir::fleet
