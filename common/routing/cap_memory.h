// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/cohort_ring.h"

#include <cstdint>

namespace weir::routing {

/// Time to first output by load: the other way to learn L. Counts of the running minute.
struct LatencyMemory
{
    std::int64_t answers = 0;
    std::int64_t ttftCount = 0;
    std::int64_t ttftSumMs = 0;
    /// Usual time at low load; -1 = not known yet.
    std::int64_t baseMs = -1;
    /// Of the last minute with enough answers; -1 = none.
    std::int64_t lastMs = -1;
    /// The most that was answered in time of late, micro-rps.
    std::int64_t healthyMicro = 0;
    std::int32_t slowMinutes = 0;
    /// L learned from latency without a minute in time since.
    std::int32_t falls = 0;

    bool operator==(const LatencyMemory&) const = default;
};

/// L, learned (routing.md section 10); -1 = none.
struct CapMemory
{
    std::int64_t capMicro = -1;
    /// Wm: what was accepted when L was learned.
    std::int64_t kneeMicro = 0;
    std::int64_t confirmedMs = kNeverMs;
    std::int64_t minuteMs = kNeverMs;
    /// Attempts in a row without a 429 since the last cut, and whether there were ever 100.
    std::int64_t cleanRun = 0;
    bool cleanSeen = false;
    std::int64_t countedToMs = kNeverMs;
    /// 429s and attempts since L was last learned, and the share of 429s before that.
    std::int64_t rateLimited = 0;
    std::int64_t attempts = 0;
    std::int64_t shareBeforePpm = 0;
    std::int32_t falls = 0;

    bool operator==(const CapMemory&) const = default;
};

} // namespace weir::routing
