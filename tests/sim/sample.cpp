// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/sample.h"

#include "common/sim/result_json.h"
#include "common/sim/scenario_json.h"
#include "common/sim/simulation.h"

#include <nlohmann/json.hpp>

#include <QtGlobal>

namespace weir::sim {

std::string sampleText()
{
    return R"({
  "name": "sample", "seed": 7, "duration_s": 3600, "agents": 2, "policy": "fixed",
  "models": [{"name": "glm", "fixed_order": ["b", "f"], "routes": [
    {"provider": "b", "price": {"input": 0.6, "cached_input": 0.11, "output": 2.2},
     "ttft_s": {"median": 2.0, "sigma": 0.3}, "ttft_cached_factor": 0.6,
     "tokens_per_s": {"median": 80, "sigma": 0.2},
     "cache": {"hit_warm": 0.9, "ttl_s": 300}, "success": 1.0},
    {"provider": "f", "price": {"input": 0.75, "cached_input": 0.14, "output": 2.75},
     "ttft_s": {"median": 2.5, "sigma": 0.3}, "ttft_cached_factor": 0.6,
     "tokens_per_s": {"median": 70, "sigma": 0.2},
     "cache": {"hit_warm": 0.9, "ttl_s": 300}, "success": 1.0}]}],
  "traffic": [{"task_type": "search", "model": "glm", "tasks_per_s": {"base": 0.2},
    "calls_per_task": [4, 6], "input_tokens": {"median": 12000, "sigma": 0.5},
    "output_tokens": {"median": 300, "sigma": 0.6}, "gap_s": 2.0, "single_shot_share": 0.1}],
  "events": []})";
}

std::string sampleWith(std::string_view from, std::string_view to)
{
    std::string text = sampleText();
    std::size_t at = text.find(from);
    if (at == std::string::npos) qFatal("the sample does not hold %s", std::string{from}.c_str());
    while (at != std::string::npos) {
        text.replace(at, from.size(), to);
        at = text.find(from, at + to.size());
    }
    return text;
}

Scenario scenarioOf(const std::string& text)
{
    const Result<Scenario> scenario = readScenario(text, "sample.json");
    if (!scenario) qFatal("%s", scenario.error().text().c_str());
    return *scenario;
}

std::string bytesOf(const Scenario& scenario)
{
    return toJson(simulate(scenario), scenario).dump();
}

Share shareOf(
    const SimResult& result,
    const Scenario& scenario,
    std::string_view provider,
    double fromS,
    double toS)
{
    Share share;
    for (const MinuteRow& row : result.minutes) {
        const auto start = static_cast<double>(row.minute * 60);
        if (start < fromS || start >= toS) continue;
        share.all += row.calls;
        const ScenarioModel& model = scenario.models[result.pools[row.pool].model];
        if (model.routes[row.route].provider != provider) continue;
        share.calls += row.calls;
        share.failures += row.failures;
        share.rateLimited += row.rateLimited;
        share.explored += row.explored;
    }
    return share;
}

} // namespace weir::sim
