// SPDX-License-Identifier: Apache-2.0
#include "common/model/degradation_report.h"

#include "common/base/text.h"
#include "common/base/time.h"

#include <array>
#include <cstdio>
#include <numeric>

namespace weir {
namespace {

/// Of the interactive requests of a minute: what so few had is no mode.
constexpr std::uint64_t kModeOneIn = 100;

/// snprintf with the buffer of one line.
template <typename... Values>
std::string formatted(const char* format, Values... values)
{
    std::array<char, 128> line{};
    std::snprintf(line.data(), line.size(), format, values...);
    return line.data();
}

std::string countText(std::uint64_t value)
{
    std::string text = std::to_string(value);
    for (std::size_t place = text.size(); place > 3;) {
        place -= 3;
        text.insert(place, 1, ',');
    }
    return text;
}

/// Never "0.0 %" for what was, nor "100.0 %" for what was not all.
std::string shareText(const DegradationReport& report, std::uint64_t count)
{
    const double percent = 100.0 * report.shareOf(count);
    if (count > 0 && percent < 0.05) return "<0.1 %";
    if (count < report.requests && percent >= 99.95) return ">99.9 %";
    return formatted("%.1f %%", percent);
}

std::string clockText(std::int64_t seconds)
{
    const auto hours = static_cast<long long>(seconds / 3600);
    return formatted(
        "%02lld:%02d:%02d",
        hours,
        static_cast<int>(seconds / 60 % 60),
        static_cast<int>(seconds % 60));
}

std::string secondsText(const std::optional<std::int64_t>& ms)
{
    return ms ? formatted("%.2f s", static_cast<double>(*ms) / 1e3) : "-";
}

std::string lineOf(
    const std::string& label,
    std::uint64_t count,
    const DegradationReport& report,
    const std::string& rest)
{
    return formatted("%-10s", label.c_str()) + formatted("%12s", countText(count).c_str()) +
           formatted("%10s", shareText(report, count).c_str()) + rest;
}

std::string firstOutputText(const FirstOutput& time)
{
    return formatted("%12s%10s", secondsText(time.p50Ms).c_str(), secondsText(time.p95Ms).c_str());
}

void addLevels(std::vector<std::string>& lines, const DegradationReport& report)
{
    lines.push_back(formatted(
        "%-10s%12s%10s%12s%12s%10s", "level", "requests", "share", "time", "ttft p50", "p95"));
    for (std::size_t level = 0; level < kLevelCount; ++level) {
        const LadderLevel& at = report.levels[level];
        const std::string time = formatted("%12s", clockText(at.seconds).c_str());
        lines.push_back(lineOf(
            'L' + std::to_string(level),
            at.requests,
            report,
            time + firstOutputText(at.firstOutput)));
    }
    lines.push_back(lineOf("deferred", report.shed, report, ""));
    lines.push_back(lineOf(
        "all",
        report.requests,
        report,
        formatted("%12s", "") + firstOutputText(report.firstOutput)));
}

void addTasks(std::vector<std::string>& lines, const DegradationReport& report)
{
    lines.push_back(formatted(
        "%-26s%-12s%12s%10s%10s", "task type", "priority", "requests", "failures", "deferred"));
    for (const LadderTask& task : report.tasks) {
        lines.push_back(
            formatted(
                "%-26s%-12s",
                cleaned(task.taskType, 25).c_str(),
                task.batch ? "batch" : "interactive") +
            formatted(
                "%12s%10s%10s",
                countText(task.requests).c_str(),
                countText(task.failures()).c_str(),
                countText(task.shed).c_str()));
    }
}

} // namespace

double DegradationReport::shareOf(std::uint64_t count) const
{
    return requests == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(requests);
}

std::optional<int> modeOf(const LevelCounts& interactive)
{
    const std::uint64_t all =
        std::accumulate(interactive.begin(), interactive.end(), std::uint64_t{0});
    if (all == 0) return std::nullopt;
    std::uint64_t soFar = 0;
    for (int level = kLevelFailure; level > 0; --level) {
        soFar += interactive[static_cast<std::size_t>(level)];
        if (soFar * kModeOneIn >= all) return level;
    }
    return 0;
}

std::vector<std::string> textOf(const DegradationReport& report)
{
    std::vector<std::string> lines;
    lines.push_back(toIso(fromEpochMs(report.fromMs)) + " to " + toIso(fromEpochMs(report.toMs)));
    lines.emplace_back();
    addLevels(lines, report);
    lines.emplace_back();
    addTasks(lines, report);
    lines.emplace_back();
    lines.push_back("residency violations: " + countText(report.residencyViolations));
    return lines;
}

} // namespace weir
