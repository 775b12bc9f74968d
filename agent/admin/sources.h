// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/live_stats.h"
#include "common/base/time.h"
#include "common/model/config.h"
#include "common/model/control.h"
#include "common/model/mirror_comparison.h"
#include "common/model/status.h"
#include "common/model/summary.h"
#include "common/routing/budget_book.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::admin {

/// What only the proxy knows of a route at this moment.
struct RouteGauge
{
    std::string model;
    std::string provider;
    std::int64_t inFlight = 0;
    std::optional<UtcTime> benchedUntil;
    std::string benchReason;
    /// "open", "cut", "recovering", "floor"; empty = not known.
    std::string gate{};
    /// "closed", "open", "half_open"; empty = not known.
    std::string breaker{};
    /// The smaller of the permitted rate and the learned cap; nothing before there was evidence.
    std::optional<std::int64_t> permittedMilliRps{};
    /// The learned cap; nothing where no limit was ever met.
    std::optional<std::int64_t> capMilliRps{};
    /// Gate cuts since the start.
    std::int64_t cuts = 0;
    /// Requests in line for a slot.
    std::int64_t waiting = 0;
};

struct LedgerGauge
{
    std::int64_t backlogRows = 0;
    std::int64_t backlogBytes = 0;
    std::int64_t lostRows = 0;
};

/// How often a copy to a task policy's candidate ended so, since the start.
struct MirrorTotal
{
    std::string taskType;
    MirrorResult result = MirrorResult::Compared;
    std::int64_t count = 0;
};

/// Where the admin pages get their facts: functions that any thread may call, which copy and never
/// wait. `main` ties them to the proxy, the store and the fleet, which the admin layer does not
/// know.
struct Sources
{
    std::string agentId;
    std::string host;
    std::string version;
    std::function<std::shared_ptr<const Config>()> config;
    std::function<std::shared_ptr<const Control>()> control;
    std::function<std::vector<AgentPresence>()> agents;
    /// The last minute of all agents together; nothing where this agent is the only one, or where
    /// nobody can tell.
    std::function<std::optional<LiveStats::Minute>()> fleetMinute = [] { return std::nullopt; };
    /// "ok", "down", or "none".
    std::function<std::string()> redis = [] { return "none"; };
    /// This agent shares its gates with a fleet, and goes by its own evidence alone now.
    std::function<bool()> gatesLocal = [] { return false; };
    std::function<std::vector<RouteGauge>()> routes;
    /// The newest; null where there is none.
    std::function<std::shared_ptr<const Summary>()> summary;
    /// What failing over would take; null where nothing is known.
    std::function<std::shared_ptr<const FailoverReport>()> failover = [] { return nullptr; };
    std::function<LedgerGauge()> ledger;
    /// Never null.
    std::function<std::shared_ptr<const std::vector<routing::BudgetStatus>>()> budgets;
    std::function<std::int64_t()> clientConnections;
    std::function<bool()> draining;
    /// Alerts besides those that the admin layer finds in the statistics itself.
    std::function<std::vector<Alert>()> alerts;
    std::function<std::vector<MirrorTotal>()> mirrors;
    /// Those that act at this moment.
    std::function<std::vector<DrillStatus>(Instant)> drills;
};

} // namespace weir::admin
