// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"
#include "common/model/settings.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir {

/// `/admin/v1/status` and each `snapshot` event of `/admin/v1/live` (contract section 7). What is
/// not known, or not measured yet, is absent here and null in JSON: never 0.

struct Quantiles
{
    std::optional<double> p50;
    std::optional<double> p95;

    bool operator==(const Quantiles&) const = default;
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
    /// Attempts of the last minute by outcome word.
    std::map<std::string, std::int64_t> outcomes1m;
    std::optional<std::int64_t> costMicroUsd1m;

    bool operator==(const RouteStatus&) const = default;
};

struct ModelStatus
{
    std::string name;
    /// Task type → provider.
    std::map<std::string, std::string> leader;
    std::vector<RouteStatus> routes;

    bool operator==(const ModelStatus&) const = default;
};

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
    std::int64_t ledgerBacklogRows = 0;
    bool draining = false;
    std::int64_t clientConnections = 0;
    double requestsPerS1m = 0.0;
    std::optional<SummaryStatus> summary;
    std::vector<AgentPresence> agents;
    std::vector<ModelStatus> models;
    std::vector<Alert> alerts;

    bool operator==(const AgentStatus&) const = default;
};

} // namespace weir
