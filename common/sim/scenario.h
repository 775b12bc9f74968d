// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/rules.h"
#include "common/model/settings.h"
#include "common/sim/route_shape.h"
#include "common/sim/traffic_stream.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::sim {

/// A scenario file as values (contract section 8).

struct ScenarioRoute
{
    std::string provider;
    RouteShape shape;
    std::string region;
    std::vector<std::string> terms;
};

struct ScenarioModel
{
    std::string name;
    /// Indices of all routes, the first choice first.
    std::vector<std::size_t> fixedOrder;
    std::vector<ScenarioRoute> routes;
};

/// A route of a model, by indices.
struct RouteRef
{
    std::size_t model = 0;
    std::size_t route = 0;
};

struct ShapeChange
{
    RouteRef at;
    RouteShape shape;
};

enum class RedisChange : std::uint8_t { Down, Up, Empty };

struct ScenarioEvent
{
    Micros at = 0;
    /// A provider's event changes its routes in all models.
    std::vector<ShapeChange> changes;
    std::vector<RouteRef> burst;
    Micros burstFor = 0;
    std::optional<std::size_t> agentRestart;
    std::optional<RedisChange> redis;
    std::optional<bool> summaryJobRuns;
};

enum class SimPolicy : std::uint8_t { Adaptive, Shadow, Fixed, RoundRobin, Oracle };
/// "adaptive", "round-robin", …
[[nodiscard]] std::string_view toWord(SimPolicy policy);
[[nodiscard]] std::optional<SimPolicy> simPolicyFromWord(std::string_view word);

struct Scenario
{
    std::string name;
    std::uint64_t seed = 0;
    Micros duration = 0;
    std::uint32_t agents = 1;
    SimPolicy policy = SimPolicy::Adaptive;
    RoutingSettings settings = standardSettings();
    std::vector<ScenarioModel> models;
    std::vector<TrafficStream> traffic;
    /// By time.
    std::vector<ScenarioEvent> events;
    /// 2026-01-01T00:00:00Z
    std::int64_t startEpochMs = 1'767'225'600'000;
    /// Three days as in the file went before.
    bool isWarm = false;
    /// All on but those that the file is `without`.
    GuardingRules rules{};

    /// There are levels to step down, regions to keep or batch to put off: a report tells of them.
    [[nodiscard]] bool isGraded() const;
};

} // namespace weir::sim
