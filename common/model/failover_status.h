// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir {

/// Requests and what they take of a quota, input and output.
struct LoadRate
{
    double rps = 0.0;
    double tokensPerMinute = 0.0;

    bool operator==(const LoadRate&) const = default;
};

/// What it would take if one route of a model failed wholly (seed document 001, "Failover moves
/// load, not just requests"). Demand is the highest of any minute of the last hours.
struct FailoverStatus
{
    std::string provider;
    /// What this route served at its own peak: what moves.
    LoadRate moves;
    /// What the model served at its peak, and its interactive part: what the others have to bear.
    LoadRate needs;
    LoadRate interactiveNeeds;
    /// What the others are known to bear together, in requests of the usual size; nothing where
    /// there is no other, or no limit of some of them is known.
    std::optional<double> capacityRps;
    /// Needs over capacity, of all and of interactive work alone; above 1 it does not fit.
    std::optional<double> ratio;
    std::optional<double> interactiveRatio;
    /// The other routes, and those of them that no limit is known of.
    std::vector<std::string> others;
    std::vector<std::string> unknown;
    /// It has been known since then that interactive work alone does not fit.
    std::optional<UtcTime> shortSince;

    bool operator==(const FailoverStatus&) const = default;
};

/// By model.
using FailoverReport = std::map<std::string, std::vector<FailoverStatus>, std::less<>>;

} // namespace weir
