// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/gauge.h"
#include "common/routing/route_gate.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::fleet {

/// One route's gate as the fleet shares it.
struct SharedGate
{
    routing::GateState state;
    GateCounters counters;
};

/// What one agent says of one route.
struct RouteReport
{
    std::string model;
    /// As far as this agent knows, the route has served before.
    bool everUsed = true;
    /// By which the route is to be stepped: whoever does it need not have it configured.
    routing::GateParams params;
    routing::GateReport report;
};

/// One agent's message about all its routes of one provider.
struct ReportMessage
{
    /// On the agent's own time line: that of its cohorts.
    std::int64_t sentMs = 0;
    std::vector<RouteReport> routes;
};

struct RouteReply
{
    std::string model;
    routing::GateReply reply;
    GateCounters counters;
    /// The fleet's demand for the whole model.
    std::int64_t groupMilliRps = 0;
};

struct ReplyMessage
{
    /// That were heard of lately.
    std::int64_t agents = 0;
    std::vector<RouteReply> routes;
};

/// Packed for Redis, whole; nothing comes back of what is damaged or of another version.
[[nodiscard]] std::string packed(const SharedGate& gate);
[[nodiscard]] std::string packed(const routing::AccountHold& account);
[[nodiscard]] std::string packed(const ReportMessage& message);
[[nodiscard]] std::string packed(const ReplyMessage& message);
[[nodiscard]] std::optional<SharedGate> unpackGate(std::string_view bytes);
[[nodiscard]] std::optional<routing::AccountHold> unpackAccount(std::string_view bytes);
[[nodiscard]] std::optional<ReportMessage> unpackReport(std::string_view bytes);
[[nodiscard]] std::optional<ReplyMessage> unpackReply(std::string_view bytes);

} // namespace weir::fleet
