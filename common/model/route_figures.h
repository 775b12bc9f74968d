// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace weir {

/// The asymmetric window of routing.md section 3: a small sample may lower, only a full one raise.
enum class WindowState : std::uint8_t { Normal, Lowered };

/// One learned figure of one route with the state of its window.
struct LearnedFigure
{
    /// In the unit of the figure; 0 = never measured.
    std::int64_t value = 0;
    WindowState state = WindowState::Normal;
    /// Lowered: since when. Normal again: where the calls that ended it begin; older ones are not
    /// recent any more. Else 0.
    std::int64_t sinceMs = 0;
    /// Samples behind `value`.
    std::int64_t samples = 0;
    /// Back to normal by age alone, not by a full sample.
    bool unverified = false;

    bool operator==(const LearnedFigure&) const = default;
};

/// The cache hit rate that a route is priced with (routing.md section 2). Rates in ppm of input.
struct HitRate
{
    /// Of its last steady state as leader; nothing where it never led.
    std::optional<std::int64_t> steadyPpm;
    std::int64_t steadyEndMs = 0;
    std::int64_t steadyCalls = 0;
    /// Since when it has had a leader's share of the calls without a break; 0 = it has not now.
    std::int64_t leadingSinceMs = 0;
    /// Fades from the own rate (1,000,000) to the pool's (0) with the steady state's age.
    std::int64_t weightPpm = 0;
    std::int64_t poolPpm = 0;
    /// weight * steady + (1 - weight) * pool: what `costNanoUsd` is computed with.
    std::int64_t usedPpm = 0;
    /// What its calls of the last 48 hours really read from the cache, for people.
    std::optional<std::int64_t> observedPpm;

    bool operator==(const HitRate&) const = default;
};

/// How many tokens a route counts for one that the agent estimates from a prompt's bytes and shape
/// (`CallRecord::promptEstimate`), learned from the usage that the route reported; ppm.
struct TokenBound
{
    /// Of nearly all prompts no more, margin included; 0 = too few samples yet.
    std::int64_t boundPpm = 0;
    std::int64_t medianPpm = 0;
    std::int64_t samples = 0;
    /// Of these, prompts with more tokens than the bound that the samples before them gave.
    std::int64_t overruns = 0;

    bool operator==(const TokenBound&) const = default;
};

/// One route of a pool, by provider.
struct RouteFigures
{
    std::string provider;
    /// Cache-neutral cost of the pool's standard task, in nano-dollars; 0 = unknown price.
    std::int64_t costNanoUsd = 0;
    /// Time to write the pool's mean answer: TTFT + Lbar / TPS, in microseconds; 0 = never
    /// measured.
    std::int64_t timeUs = 0;
    LearnedFigure ttftUs;
    LearnedFigure milliTps;
    /// Tokens per task against the pool, in ppm of 1 (a chattier route costs more): an output token
    /// weighs four input tokens, so that prices do not matter here.
    LearnedFigure taskCost;
    /// The same for input and output alone: what `costNanoUsd` is computed with.
    std::int64_t taskInputPpm = 1'000'000;
    std::int64_t taskOutputPpm = 1'000'000;
    /// Of the input tokens that were not read from cache, those billed as cache writes, in ppm.
    std::int64_t cacheWritePpm = 0;
    HitRate hit;
    /// Chance that a try fails (429s, errors, bad answers), smoothed; for `routing_cost`.
    std::int64_t failurePpm = 0;
    /// What a failed try costs: nano-dollars billed, and microseconds.
    std::int64_t failedCostNanoUsd = 0;
    std::int64_t failedTimeUs = 0;
    /// Enough calls to be compared with others: 30 ever, 5 of them behind the TTFT above
    /// (routing.md section 3).
    bool sampleOk = false;
    bool qualityFlag = false;
    /// In the reference set when this was published: sample, quality, breaker, hold, rate.
    bool trusted = false;
    bool slow = false;
    /// What the planner knew besides: the operator's bias, and the rate that the route is known to
    /// bear (-1 = no limit was ever met).
    std::int64_t biasPpm = 1'000'000;
    std::int64_t limitMilliRps = -1;
    /// 1e-9 units; larger is better. 0 = not scored.
    std::int64_t score = 0;
    /// From 1.
    int rank = 0;
    /// Traffic shares in ppm: at `PoolSummary::rampStartMs`, and after `rampMs`.
    std::int64_t shareFromPpm = 0;
    std::int64_t shareToPpm = 0;
    /// Chance that an explorable task tries this route; 0 for the leader.
    std::int64_t explorePpm = 0;
    /// Calls of the last 30 minutes and 48 hours.
    std::int64_t calls30m = 0;
    std::int64_t calls48h = 0;
    std::int64_t ttftP50Us = 0;
    std::int64_t ttftP95Us = 0;
    std::int64_t ttftP99Us = 0;
    TokenBound tokens;

    bool operator==(const RouteFigures&) const = default;
};

} // namespace weir
