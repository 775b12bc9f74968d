// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weir {

/// Rules that guard against faults of routers that learn from their own traffic. They are always
/// on: the switches exist for study only (a scenario's `without`), so that what each rule is worth
/// can be seen; no configuration of an agent sets them.
struct GuardingRules
{
    /// The permitted rate has a floor above zero, and climbs by factors back to the sampling rate.
    /// Without: a rate below one request a minute is none, and growth comes in equal steps and from
    /// successes alone, so that a burst of errors silences a route for good.
    bool rateFloor = true;
    /// Costs and times are compared as if every route's cache were equally warm. Without: as they
    /// were measured, so that the leader looks cheaper because it leads.
    bool cacheNeutral = true;
    /// A small recent sample may lower a figure, only a full one raise it again. Without: the last
    /// half hour where that is a full sample, else two days, so that a route that slowed down looks
    /// healthy as soon as it has lost its traffic.
    bool latchedWindows = true;
    /// A gate keeps what it knows. Without: it forgets at every whole hour of its clock, and the
    /// route starts slowly like one that was never used.
    bool keepsHistory = true;

    bool operator==(const GuardingRules&) const = default;
};

} // namespace weir
