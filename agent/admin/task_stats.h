// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/fixed_histogram.h"
#include "common/base/time.h"
#include "common/model/call_record.h"
#include "common/model/degradation_report.h"
#include "common/model/status.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weir::admin {

/// Callers name their task types: the first so many have labels of their own, the rest is "other".
inline constexpr std::size_t kTaskTypesMax = 100;

/// What became of the requests of one task type since the agent started. All of it only grows.
struct TaskTotals
{
    /// By the level that served; at L4 those that failed.
    LevelCounts levels{};
    std::int64_t shed = 0;
    std::int64_t noRoute = 0;
    using ByProvider = std::map<std::string, std::array<std::int64_t, kOutcomeCount>>;

    /// By the provider of the last attempt, and its outcome.
    ByProvider requests;
    /// All attempts: a provider that fails is seen here even if another one mends it.
    ByProvider attempts;
    std::int64_t costMicroUsd = 0;
    /// As the caller waited: over all attempts.
    FixedHistogram<kTtftBoundsMs.size()> ttft;
};

/// Of the requests that began at one model.
struct ModelTotals
{
    std::int64_t requests = 0;
    /// Those that another route ended, after a failure.
    std::int64_t failovers = 0;
};

struct RequestTotals
{
    std::map<std::string, TaskTotals> tasks;
    std::map<std::string, ModelTotals> models;
    /// Whole minutes that are over, by the mode of each.
    std::array<std::int64_t, kLevelCount> levelSeconds{};
};

/// Requests, where `LiveStats` counts attempts: levels, time in each mode, failovers, and what each
/// task type costs and waits. Copies for comparison and eval runs are no requests. Not thread-safe.
class TaskStats final
{
public:
    explicit TaskStats(Instant started);

    void add(const CallRecord& record, Instant now);

    [[nodiscard]] RequestTotals totals(Instant now) const;
    /// The last minute and the last hour, to ten seconds.
    [[nodiscard]] LevelWindows windows(Instant now) const;

private:
    /// A request that goes on after its first attempts.
    struct Open
    {
        UtcTime startedAt{};
        std::string model;
        std::string route;
        bool hasFailed = false;
    };

    struct Slot
    {
        std::int64_t index = -1;
        LevelWindow window;
    };

    TaskTotals& totalsOf(const std::string& taskType);
    void keepOpen(const CallRecord& record);
    void countEnd(const CallRecord& record);
    void countLevel(const CallRecord& record, int level, Instant now);
    LevelWindow& slotAt(Instant now);
    void addMinute(RequestTotals& totals, Instant now) const;

    Instant m_started;
    RequestTotals m_totals;
    std::unordered_map<std::string, Open> m_open;
    /// The minute under way and its interactive requests.
    std::int64_t m_minute = 0;
    LevelCounts m_interactive{};
    /// An hour of ten-second slots, and one more to be filled.
    std::vector<Slot> m_slots;
};

} // namespace weir::admin
