// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/sources.h"
#include "agent/admin/status.h"
#include "common/model/call_record.h"

#include <memory>
#include <string_view>

namespace weir::admin {

/// 2026-11-30T10:00:00Z and an hour on the monotonic line, plus `seconds`.
[[nodiscard]] Now at(double seconds);

/// A finished attempt that took 1 s, its first output after 500 ms, with 101 tokens.
[[nodiscard]] CallRecord call(std::string_view provider, Outcome outcome = Outcome::Ok);

/// What the sources below say; change it between two looks.
struct World
{
    World();

    std::shared_ptr<Config> config;
    std::shared_ptr<Control> control;
    std::vector<RouteGauge> routes;
    std::vector<Alert> alerts;
    std::vector<DrillStatus> drills;
    LedgerGauge ledger;
    std::vector<routing::BudgetStatus> budgets{};
    std::shared_ptr<const Summary> summary;
    std::shared_ptr<FailoverReport> failover;
    bool draining = false;

    /// Refers to this object.
    [[nodiscard]] Sources sources();
};

/// The canary that stands for every secret of the configuration.
inline constexpr std::string_view kCanary = "sk-canary-4711";

} // namespace weir::admin
