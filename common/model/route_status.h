// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"
#include "common/model/failover_status.h"
#include "common/model/quality_score.h"
#include "common/model/route_config.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir {

struct Quantiles
{
    std::optional<double> p50;
    std::optional<double> p95;

    bool operator==(const Quantiles&) const = default;
};

/// How many tokens a route counts for one that the agent estimates (`TokenBound`).
struct TokenBoundStatus
{
    /// The bound that holds, learned or not.
    double perEstimate = 0;
    double median = 0;
    std::int64_t samples = 0;
    std::int64_t overruns = 0;

    bool operator==(const TokenBoundStatus&) const = default;
};

struct RouteStatus
{
    std::string provider;
    std::string route;
    bool enabled = true;
    std::optional<int> rank;
    std::optional<double> score;
    std::optional<double> costIndex;
    std::optional<double> speedIndex;
    /// Share of the model's attempts of the last minute; nothing without traffic.
    std::optional<double> share1m;
    double rps1m = 0.0;
    std::optional<double> permittedRps;
    /// The most that it is known to bear; nothing where no limit was ever met.
    std::optional<double> capRps;
    std::optional<std::string> gate;
    std::optional<std::string> breaker;
    std::optional<UtcTime> benchedUntil;
    /// Why it is benched: an outcome word.
    std::optional<std::string> benchReason;
    /// Failures (neither success nor neutral) over all attempts of the last minute.
    std::optional<double> errorRate1m;
    std::int64_t rateLimited1m = 0;
    Quantiles ttftMs;
    Quantiles tokensPerS;
    std::int64_t inFlight = 0;
    /// Requests that stand in line for a slot of it.
    std::int64_t waiting = 0;
    /// Attempts of the last minute by outcome word.
    std::map<std::string, std::int64_t> outcomes1m;
    std::optional<std::int64_t> costMicroUsd1m;
    /// Its newest eval scores, one a task type.
    std::vector<QualityScore> quality;
    /// Of the task type with the most prompts behind it; nothing where there was none.
    std::optional<TokenBoundStatus> tokenBound;
    /// What the agent's configuration says of it.
    std::optional<RouteConfig> config;

    bool operator==(const RouteStatus&) const = default;
};

struct ModelStatus
{
    std::string name;
    /// Task type → provider.
    std::map<std::string, std::string> leader;
    std::vector<RouteStatus> routes;
    /// In the order of the routes; empty before anything was counted.
    std::vector<FailoverStatus> failover{};

    bool operator==(const ModelStatus&) const = default;
};

} // namespace weir
