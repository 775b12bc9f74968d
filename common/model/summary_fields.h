// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/summary.h"

#include <concepts>
#include <type_traits>

namespace weir {

/// Every field of a summary with its key in JSON, once, for the id and for both directions of JSON.
/// `visit(key, field)`. The structured bindings make a field that is missing here an error of the
/// compiler.

template <class Visit, class T>
requires std::same_as<std::remove_const_t<T>, LearnedFigure>

void eachField(T& figure, Visit&& visit)
{
    auto& [value, state, sinceMs, samples, unverified] = figure;
    visit("value", value);
    visit("state", state);
    visit("since_ms", sinceMs);
    visit("samples", samples);
    visit("unverified", unverified);
}

template <class Visit, class T>
requires std::same_as<std::remove_const_t<T>, HitRate>

void eachField(T& rate, Visit&& visit)
{
    auto& [steady, steadyEnd, steadyCalls, leadingSince, weight, pool, used, observed] = rate;
    visit("steady_ppm", steady);
    visit("steady_end_ms", steadyEnd);
    visit("steady_calls", steadyCalls);
    visit("leading_since_ms", leadingSince);
    visit("weight_ppm", weight);
    visit("pool_ppm", pool);
    visit("used_ppm", used);
    visit("observed_ppm", observed);
}

template <class Visit, class T>
requires std::same_as<std::remove_const_t<T>, RouteFigures>

void eachField(T& route, Visit&& visit)
{
    auto& [provider, cost, time, ttft, tps, taskCost, taskInput, taskOutput, cacheWrite, hit, failure, failedCost, failedTime, sampleOk, qualityFlag, trusted, slow, score, rank, shareFrom, shareTo, explore, calls30m, calls48h, ttftP50, ttftP99] =
        route;
    visit("provider", provider);
    visit("cost_nano_usd", cost);
    visit("time_us", time);
    visit("ttft_us", ttft);
    visit("milli_tps", tps);
    visit("task_cost_ppm", taskCost);
    visit("task_input_ppm", taskInput);
    visit("task_output_ppm", taskOutput);
    visit("cache_write_ppm", cacheWrite);
    visit("hit", hit);
    visit("failure_ppm", failure);
    visit("failed_cost_nano_usd", failedCost);
    visit("failed_time_us", failedTime);
    visit("sample_ok", sampleOk);
    visit("quality_flag", qualityFlag);
    visit("trusted", trusted);
    visit("slow", slow);
    visit("score", score);
    visit("rank", rank);
    visit("share_from_ppm", shareFrom);
    visit("share_to_ppm", shareTo);
    visit("explore_ppm", explore);
    visit("calls_30m", calls30m);
    visit("calls_48h", calls48h);
    visit("ttft_p50_us", ttftP50);
    visit("ttft_p99_us", ttftP99);
}

template <class Visit, class T>
requires std::same_as<std::remove_const_t<T>, PoolSummary>

void eachField(T& pool, Visit&& visit)
{
    auto& [model, taskType, leader, cause, leaderSince, displaced, changes, marginRaised, rampStart, ramp, taskInput, taskOutput, taskCalls, answer, speedup, explorable, routes] =
        pool;
    visit("model", model);
    visit("task_type", taskType);
    visit("leader", leader);
    visit("leader_cause", cause);
    visit("leader_since_ms", leaderSince);
    visit("displaced", displaced);
    visit("leader_changes_ms", changes);
    visit("margin_raised_until_ms", marginRaised);
    visit("ramp_start_ms", rampStart);
    visit("ramp_ms", ramp);
    visit("task_input_tokens", taskInput);
    visit("task_output_tokens", taskOutput);
    visit("task_milli_calls", taskCalls);
    visit("answer_tokens", answer);
    visit("cache_speedup_ppm", speedup);
    visit("explorable_ppm", explorable);
    visit("routes", routes);
}

/// `visit` is not called with the id.
template <class Visit, class T>
requires std::same_as<std::remove_const_t<T>, Summary>

void eachField(T& summary, Visit&& visit)
{
    auto& [id, computedAt, settingsVersion, origin, pools] = summary;
    static_cast<void>(id);
    visit("computed_at_ms", computedAt);
    visit("settings_version", settingsVersion);
    visit("origin_ms", origin);
    visit("pools", pools);
}

} // namespace weir
