// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/price.h"

#include <cstdint>
#include <optional>

namespace weir::sim {

/// Virtual time: microseconds from the scenario's start.
using Micros = std::int64_t;
inline constexpr Micros kSecond = 1'000'000;
inline constexpr Micros kMinute = 60 * kSecond;

struct LogNormal
{
    double median = 1.0;
    /// Of the natural logarithm.
    double sigma = 0.0;
};

struct CacheShape
{
    /// Share of the prompt that a conversation's next call reads, while its prefix is kept.
    double hitWarm = 0.0;
    double ttlS = 300.0;
    /// Share of `hitWarm` that any conversation finds at a provider that is never idle.
    double sharedPrefix = 0.4;
};

/// How a route behaves, until an event changes it.
struct RouteShape
{
    Price price;
    LogNormal ttftS;
    double ttftCachedFactor = 1.0;
    LogNormal tokensPerS;
    CacheShape cache;
    /// Over it: an immediate 429. A bucket of one second's depth.
    std::optional<double> capacityRps;
    /// What the operator knows of that limit: `quota.requests_per_s` of a route's configuration.
    std::optional<double> quotaRps;
    /// Served at this rate, the rest waits in line.
    std::optional<double> queueRps;
    double success = 1.0;
    /// What every answer has; 200 = none forced.
    int status = 200;
    /// Unknown to the router before; at 0, known since ever.
    double enabledFromS = 0.0;
};

} // namespace weir::sim
