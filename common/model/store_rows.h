// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/histogram.h"
#include "common/base/time.h"
#include "common/model/settings.h"

#include <cstdint>
#include <string>

namespace weir {

/// A row of `agent_state`: what one agent itself says it runs (contract section 6).
struct AgentStateRow
{
    std::string agentId;
    std::string service;
    std::string host;
    std::string version;
    EffectiveMode effectiveMode = EffectiveMode::Failsafe;
    std::string modeReason;
    std::int64_t switchVersion = 0;
    std::int64_t settingsVersion = 0;
    /// When it applied the newer of its two versions.
    UtcTime appliedAt{};
    /// Its last heartbeat.
    UtcTime seenAt{};

    bool operator==(const AgentStateRow&) const = default;
};

/// A row of `route_10s`: the attempts of one route that ended in the ten seconds from `start`.
struct RouteSlice
{
    UtcTime start{};
    std::string model;
    std::string provider;
    std::int64_t attempts = 0;
    std::int64_t failures = 0;
    std::int64_t rateLimited = 0;
    std::int64_t costMicroUsd = 0;
    /// Microseconds to the first output.
    Histogram ttftUs;

    bool operator==(const RouteSlice&) const = default;
};

} // namespace weir
