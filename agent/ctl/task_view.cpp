// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/task_view.h"

#include "agent/ctl/format.h"
#include "agent/ctl/table.h"
#include "common/base/text.h"
#include "common/model/degradation_report_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace weir::ctl {
namespace {

using enum Column::Align;
using Json = nlohmann::ordered_json;

/// Costs that rose by so much are worth a look.
constexpr double kNotable = 0.1;
constexpr double kSoundRate = 0.99;

std::optional<std::int64_t> microUsd(std::optional<double> dollars)
{
    return dollars ? std::optional{std::llround(*dollars * 1e6)} : std::nullopt;
}

std::string changeText(std::optional<double> change)
{
    if (!change) return std::string{kUnknown};
    const auto percent = std::llround(*change * 100);
    return (percent > 0 ? "+" : "") + std::to_string(percent) + " %";
}

Style toneOf(std::optional<double> change)
{
    if (!change || std::abs(*change) < kNotable) return Style::Dim;
    return *change > 0 ? Style::Warning : Style::Good;
}

std::optional<double> milliseconds(const Histogram& us, double q)
{
    const std::optional<std::int64_t> value = us.quantile(q);
    return value ? std::optional{static_cast<double>(*value) / 1e3} : std::nullopt;
}

std::string levelsText(const reports::TaskReport& task)
{
    std::string text;
    for (std::size_t level = 0; level < kLevelCount; ++level) {
        if (task.levels[level] == 0) continue;
        const double share =
            static_cast<double>(task.levels[level]) / static_cast<double>(task.calls);
        if (!text.empty()) text += ", ";
        text.append("L").append(std::to_string(level)).append(" ").append(formatShare(share));
    }
    return text;
}

std::string providersText(const reports::TaskReport& task)
{
    std::string text;
    for (const auto& [name, provider] : task.providers) {
        if (!text.empty()) text += ", ";
        text.append(cleaned(name)).append(" ").append(formatShare(provider.successRate()));
    }
    return text;
}

Style toneOf(const reports::TaskReport& task)
{
    for (const auto& [name, provider] : task.providers) {
        if (provider.successRate().value_or(1) < kSoundRate) return Style::Warning;
    }
    return Style::Plain;
}

} // namespace

std::vector<Line> taskLines(const std::vector<reports::TaskReport>& tasks, std::size_t width)
{
    if (tasks.empty()) return {{{"No request in that time.", Style::Dim}}};
    Table table;
    table.columns = {
        {"TASK TYPE", Left, 0, 12},
        {"TASKS", Right, 3, {}},
        {"CALLS", Right, 0, {}},
        {"FAILOVER", Right, 0, {}},
        {"COST/TASK", Right, 0, {}},
        {"CHANGE", Right, 0, {}},
        {"TTFT P50", Right, 2, {}},
        {"P95", Right, 0, {}},
        {"P99", Right, 1, {}},
        {"LEVELS", Left, 4, {}},
        {"SUCCESS", Left, 5, {}}};
    for (const reports::TaskReport& task : tasks) {
        const std::optional<double> change = task.costChange();
        table.rows.push_back(
            {{},
             {{cleaned(task.taskType), Style::Bold},
              {formatCount(task.tasks), Style::Dim},
              {formatCount(task.calls)},
              {formatShare(task.failoverRate())},
              {formatCost(microUsd(task.costPerTask()))},
              {changeText(change), toneOf(change)},
              {formatMs(milliseconds(task.ttftUs, 0.5))},
              {formatMs(milliseconds(task.ttftUs, 0.95))},
              {formatMs(milliseconds(task.ttftUs, 0.99))},
              {levelsText(task)},
              {providersText(task), toneOf(task)}}});
    }
    return layOut(table, width);
}

Json toJson(const reports::TaskReport& task)
{
    const auto orNull = [](std::optional<double> value) {
        return value ? Json(*value) : Json(nullptr);
    };
    const auto seconds = [&](double q) {
        const std::optional<double> ms = milliseconds(task.ttftUs, q);
        return ms ? Json(*ms / 1e3) : Json(nullptr);
    };
    Json json{
        {"task_type", task.taskType},
        {"tasks", task.tasks},
        {"calls", task.calls},
        {"shed", task.shed},
        {"failover_rate", orNull(task.failoverRate())},
        {"providers", Json::object()},
        {"levels", Json::object()},
        {"cost_per_task_usd", orNull(task.costPerTask())},
        {"cost_per_task_before_usd", orNull(task.costPerTaskBefore())},
        {"cost_change", orNull(task.costChange())},
        {"cost_unknown", task.costUnknown},
        {"ttft_s", {{"p50", seconds(0.5)}, {"p95", seconds(0.95)}, {"p99", seconds(0.99)}}}};
    for (const auto& [name, provider] : task.providers) {
        json["providers"][name] = {
            {"attempts", provider.attempts}, {"success_rate", orNull(provider.successRate())}};
    }
    for (std::size_t level = 0; level < kLevelCount; ++level)
        json["levels"][levelName(level)] = task.levels[level];
    return json;
}

} // namespace weir::ctl
