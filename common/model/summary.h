// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/policy.h"
#include "common/model/route_figures.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// What the summary job has learned, published whole every five minutes and kept by its id: the
/// statistics that decisions are made of, and recomputed from. All numbers are quantised here,
/// once, so that `decide` needs integers only (routing.md section 0). Times are epoch milliseconds.

/// Why a pool's leader is another than in the summary before.
enum class LeaderCause : std::uint8_t { None, Start, Score, Slow, Gate, Breaker, Credit, Auth };

/// "score", "slow3x", "gate", … (contract section 8); "none".
[[nodiscard]] std::string_view toWord(LeaderCause cause);

/// All routes of one (model, task type).
struct PoolSummary
{
    std::string model;
    std::string taskType;
    /// A provider; empty where nothing is trusted yet, so that the fixed order serves.
    std::string leader;
    LeaderCause leaderCause = LeaderCause::None;
    std::int64_t leaderSinceMs = 0;
    /// Who led before and lost it to a trouble; it returns without a margin, and in one step where
    /// the trouble was its gate, breaker or hold alone (routing.md section 18). Empty = nobody.
    std::string displaced;
    bool displacedByGate = false;
    /// Ends of the last leader changes (at most 8), for the flapping guard.
    std::vector<std::int64_t> leaderChangesMs;
    std::int64_t marginRaisedUntilMs = 0;
    std::int64_t rampStartMs = 0;
    std::int64_t rampMs = 0;
    /// Time between summaries that the ramps were planned for.
    std::int64_t intervalMs = 300'000;
    /// Pool's standard task: mean tokens and calls over 48 hours; the mean answer of one call.
    std::int64_t taskInputTokens = 0;
    std::int64_t taskOutputTokens = 0;
    std::int64_t taskMilliCalls = 0;
    std::int64_t answerTokens = 0;
    /// How much a wholly cached prompt shortens the TTFT, in ppm (0.6 of the time left: 400,000).
    std::int64_t cacheSpeedupPpm = 0;
    /// Demand of the whole model, which the limits of its routes stand against.
    std::int64_t demandMilliRps = 0;
    /// Share of calls that may explore, in ppm.
    std::int64_t explorablePpm = kPpm;
    std::vector<RouteFigures> routes;

    bool operator==(const PoolSummary&) const = default;
};

struct Summary
{
    /// Hash of its canonical bytes, 16 hexadecimal digits.
    std::string id;
    std::int64_t computedAtMs = 0;
    std::int64_t settingsVersion = 0;
    /// Where the minute grid of the statistics begins, so that a shift of all times shifts all.
    std::int64_t originMs = 0;
    std::vector<PoolSummary> pools;

    bool operator==(const Summary&) const = default;
};

} // namespace weir
