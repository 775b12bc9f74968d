// SPDX-License-Identifier: Apache-2.0
#include "common/model/degradation_report_json.h"

#include "common/base/time.h"

#include <nlohmann/json.hpp>

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

Json secondsOf(const std::optional<std::int64_t>& ms)
{
    return ms ? Json(static_cast<double>(*ms) / 1e3) : Json(nullptr);
}

Json toJson(const FirstOutput& time)
{
    return {{"p50", secondsOf(time.p50Ms)}, {"p95", secondsOf(time.p95Ms)}};
}

} // namespace

std::string levelName(std::size_t level)
{
    return 'L' + std::to_string(level);
}

Json toJson(const LadderTask& task)
{
    Json json{
        {"task_type", task.taskType},
        {"priority", task.batch ? "batch" : "interactive"},
        {"requests", task.requests},
        {"failures", task.failures()},
        {"shed", task.shed}};
    for (std::size_t level = 0; level < kLevelCount; ++level)
        json["levels"][levelName(level)] = task.levels[level];
    return json;
}

Json toJson(const DegradationReport& report)
{
    Json json{
        {"from", toIso(fromEpochMs(report.fromMs))},
        {"to", toIso(fromEpochMs(report.toMs))},
        {"requests", report.requests},
        {"shed", report.shed}};
    for (std::size_t level = 0; level < kLevelCount; ++level) {
        const LadderLevel& at = report.levels[level];
        json["levels"][levelName(level)] = {
            {"requests", at.requests},
            {"share", report.shareOf(at.requests)},
            {"time_s", at.seconds},
            {"ttft_s", toJson(at.firstOutput)}};
    }
    json["tasks"] = Json::array();
    for (const LadderTask& task : report.tasks)
        json["tasks"].push_back(toJson(task));
    json["residency_violations"] = report.residencyViolations;
    json["ttft_s"] = toJson(report.firstOutput);
    return json;
}

} // namespace weir
