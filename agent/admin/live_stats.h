// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/fixed_histogram.h"
#include "agent/admin/route_window.h"
#include "agent/admin/task_stats.h"
#include "common/base/time.h"
#include "common/model/call_record.h"

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::admin {

/// Model and provider: within a model a provider has one route.
using RouteKey = std::pair<std::string, std::string>;

/// What a route did since the agent started. Everything here only grows.
struct RouteTotals
{
    std::array<std::int64_t, kOutcomeCount> attempts{};
    /// By the outcome of the request's last attempt, on the route of that attempt.
    std::array<std::int64_t, kOutcomeCount> requests{};
    std::int64_t costMicroUsd = 0;
    FixedHistogram<kTtftBoundsMs.size()> ttft;
    FixedHistogram<kTokenBounds.size()> inputTokens;
    FixedHistogram<kTokenBounds.size()> outputTokens;
    /// Every success under `Ok`.
    std::map<Outcome, FixedHistogram<kDurationBoundsMs.size()>> durations;
};

/// A trouble that a person must act on: since when, until the route's next success.
struct RouteTrouble
{
    /// `model_unavailable`, `auth` or `no_credit`.
    Outcome kind = Outcome::ModelUnavailable;
    UtcTime since{};
};

/// The last minute and the totals of every route that was tried, from finished attempts. Fed on the
/// spool's thread, read on the admin thread; one mutex, held for microseconds.
class LiveStats final
{
public:
    /// `started` bounds the window of a young agent, so that its rates are not diluted.
    explicit LiveStats(Instant started);

    /// Counts finished attempts as of `now`. `now` may step back by less than a minute, as it does
    /// when two threads read the clock.
    void add(std::span<const CallRecord> records, Instant now);

    struct Minute
    {
        std::map<RouteKey, WindowSum> routes;
        /// Attempts of each model.
        std::map<std::string, std::int64_t, std::less<>> attempts;
        /// Requests begun, and the length over which they were: 1 s to 60 s.
        std::int64_t requests = 0;
        double seconds = 60.0;
    };

    [[nodiscard]] Minute minute(Instant now) const;
    [[nodiscard]] std::map<RouteKey, RouteTotals> totals() const;
    [[nodiscard]] RequestTotals requests(Instant now) const;
    [[nodiscard]] LevelWindows levels(Instant now) const;
    /// In the order of their outcome.
    [[nodiscard]] std::map<RouteKey, std::vector<RouteTrouble>> troubles() const;

private:
    struct Route
    {
        RouteWindow window;
        RouteTotals totals;
        std::map<Outcome, UtcTime> troubles;
    };

    Route& route(const CallRecord& record);

    mutable std::mutex m_mutex;
    Instant m_started;
    std::map<RouteKey, Route> m_routes;
    TaskStats m_tasks;
};

} // namespace weir::admin
