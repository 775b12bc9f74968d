// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/route_fields.h"
#include "common/model/summary.h"

#include <concepts>
#include <type_traits>

namespace weir {

/// Every field of a summary with its key in JSON, once, for the id and for both directions of JSON.
/// `visit(key, field)`. The structured bindings make a field that is missing here an error of the
/// compiler.

template <class Visit, class T>
requires std::same_as<std::remove_const_t<T>, PoolSummary>

void eachField(T& pool, Visit&& visit)
{
    auto& [model, taskType, leader, cause, leaderSince, displaced, byGate, changes, marginRaised, rampStart, ramp, interval, taskInput, taskOutput, taskCalls, answer, speedup, demand, explorable, routes] =
        pool;
    visit("model", model);
    visit("task_type", taskType);
    visit("leader", leader);
    visit("leader_cause", cause);
    visit("leader_since_ms", leaderSince);
    visit("displaced", displaced);
    visit("displaced_by_gate", byGate);
    visit("leader_changes_ms", changes);
    visit("margin_raised_until_ms", marginRaised);
    visit("ramp_start_ms", rampStart);
    visit("ramp_ms", ramp);
    visit("interval_ms", interval);
    visit("task_input_tokens", taskInput);
    visit("task_output_tokens", taskOutput);
    visit("task_milli_calls", taskCalls);
    visit("answer_tokens", answer);
    visit("cache_speedup_ppm", speedup);
    visit("demand_milli_rps", demand);
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
