// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/policy.h"
#include "common/model/settings.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weir::reports {

/// Settings that decisions are made under again.
struct Terms
{
    RoutingPolicy policy;
    /// Rows of routes; those that are not named stay as they were when it was decided.
    std::vector<RouteSettings> routes;
};

/// As it was, and as it would be.
struct Pair
{
    std::int64_t was = 0;
    std::int64_t wouldBe = 0;

    bool operator==(const Pair&) const = default;
};

/// The most that a route would have to bear in one summary's time, in ppm of what it is known to
/// bear.
struct RouteLoad
{
    std::string model;
    std::string provider;
    Pair ppm;

    bool operator==(const RouteLoad&) const = default;
};

struct Replayed
{
    std::int64_t decisions = 0;
    std::int64_t mismatches = 0;
    /// Their record or their summary cannot be read.
    std::int64_t unreadable = 0;
    /// Under other terms: another first choice; and in fixed mode.
    std::int64_t changed = 0;
    std::int64_t changedFixed = 0;
    /// First choices by provider.
    std::map<std::string, Pair> first;
    /// First choices that were explored.
    Pair explored;
    /// Of the decisions whose both first choices have a known figure, by the summaries: cost of
    /// their tasks in nano-dollars, time to the first output in microseconds.
    Pair costNanoUsd;
    std::int64_t costed = 0;
    Pair ttftUs;
    std::int64_t timed = 0;
    /// Pools of the summaries that were decided from, and those with another leader.
    std::int64_t plans = 0;
    std::int64_t plansChanged = 0;
    /// The first mismatches and unreadable ones.
    std::vector<std::string> named;
};

} // namespace weir::reports
