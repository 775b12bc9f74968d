// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/route_figures.h"

#include <concepts>
#include <type_traits>

namespace weir {

/// The part of `summary_fields.h` that is one route.

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
requires std::same_as<std::remove_const_t<T>, TokenBound>

void eachField(T& bound, Visit&& visit)
{
    auto& [boundPpm, medianPpm, samples, overruns] = bound;
    visit("bound_ppm", boundPpm);
    visit("median_ppm", medianPpm);
    visit("samples", samples);
    visit("overruns", overruns);
}

template <class Visit, class T>
requires std::same_as<std::remove_const_t<T>, RouteFigures>

void eachField(T& route, Visit&& visit)
{
    auto& [provider, cost, time, ttft, tps, taskCost, taskInput, taskOutput, cacheWrite, hit, failure, failedCost, failedTime, sampleOk, qualityFlag, trusted, slow, bias, limit, score, rank, shareFrom, shareTo, explore, calls30m, calls48h, ttftP50, ttftP95, ttftP99, tokens] =
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
    visit("bias_ppm", bias);
    visit("limit_milli_rps", limit);
    visit("score", score);
    visit("rank", rank);
    visit("share_from_ppm", shareFrom);
    visit("share_to_ppm", shareTo);
    visit("explore_ppm", explore);
    visit("calls_30m", calls30m);
    visit("calls_48h", calls48h);
    visit("ttft_p50_us", ttftP50);
    visit("ttft_p95_us", ttftP95);
    visit("ttft_p99_us", ttftP99);
    visit("tokens", tokens);
}

} // namespace weir
