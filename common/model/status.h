// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"
#include "common/model/degradation_report.h"
#include "common/model/drill_status.h"
#include "common/model/route_status.h"
#include "common/model/settings.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir {

/// `/admin/v1/status` and each `snapshot` event of `/admin/v1/live` (contract section 7). What is
/// not known, or not measured yet, is absent here and null in JSON: never 0.

struct AgentPresence
{
    std::string agentId;
    std::string service;
    std::string host;
    std::string version;
    std::string effectiveMode;
    std::string modeReason;
    std::int64_t switchVersion = 0;
    std::int64_t settingsVersion = 0;
    double lastSeenS = 0.0;
    /// When it began to go by these versions.
    std::optional<UtcTime> appliedAt;
    /// "ok" or "down".
    std::string store = "ok";
    /// "ok", "down" or "none".
    std::string redis = "none";
    std::optional<std::int64_t> ledgerBacklogRows;
    std::optional<double> summaryAgeS;
    /// How far its clock is ahead of the database's.
    std::optional<std::int64_t> clockSkewMs;

    bool operator==(const AgentPresence&) const = default;
};

struct Alert
{
    std::string kind;
    std::string route;
    UtcTime since{};
    std::string text;

    bool operator==(const Alert&) const = default;
};

struct SummaryStatus
{
    std::string id;
    UtcTime computedAt{};
    double ageS = 0.0;

    bool operator==(const SummaryStatus&) const = default;
};

/// Requests of this agent by the level that served them; what was shed stands at none.
struct LevelWindow
{
    std::int64_t requests = 0;
    std::int64_t shed = 0;
    LevelCounts levels{};

    bool operator==(const LevelWindow&) const = default;
};

struct LevelWindows
{
    LevelWindow lastMinute;
    LevelWindow lastHour;

    bool operator==(const LevelWindows&) const = default;
};

struct AgentStatus
{
    std::string agentId;
    std::string version;
    std::string service;
    std::string host;
    UtcTime at{};
    /// What the switch says; nothing where it could never be read.
    std::optional<Mode> mode;
    EffectiveMode effectiveMode = EffectiveMode::Failsafe;
    /// "switch", or why not: "settings_unreadable", "switch_missing", "summary_old", "no_summary".
    std::string modeReason;
    /// The switch's own reason and who turned it, for people.
    std::string switchReason;
    std::string switchBy;
    std::optional<UtcTime> switchAt;
    std::int64_t switchVersion = 0;
    std::int64_t settingsVersion = 0;
    /// "ok" or "down".
    std::string store = "ok";
    std::string redis = "none";
    bool gatesLocal = false; ///< The fleet's do not answer: it goes by its own evidence alone.
    std::int64_t ledgerBacklogRows = 0;
    bool draining = false;
    std::int64_t clientConnections = 0;
    double requestsPerS1m = 0.0;
    LevelWindows levels;
    std::optional<SummaryStatus> summary;
    std::vector<AgentPresence> agents;
    std::vector<ModelStatus> models;
    std::vector<Alert> alerts;
    /// Those that act now, in this agent.
    std::vector<DrillStatus> drills;

    bool operator==(const AgentStatus&) const = default;
};

} // namespace weir
