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

/// What one route did from `start` for one step of the pre-aggregated history (`route_10s`,
/// `route_minute`), over all agents and task types.
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
