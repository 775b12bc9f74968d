// SPDX-License-Identifier: Apache-2.0
#include "common/routing/quality_floor.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::routing {
namespace {

constexpr double kPpmOne = 1e6;

std::int64_t floorPpm(const TaskConfig& task)
{
    return std::llround(task.qualityFloor * kPpmOne);
}

/// "0.5", "0.312": of a share in ppm, rounded down to thousandths, so that what is below looks so.
std::string share(std::int64_t ppm)
{
    std::string fraction = std::to_string(ppm / 1000 % 1000);
    fraction.insert(0, 3 - fraction.size(), '0');
    fraction.erase(std::max<std::size_t>(fraction.find_last_not_of('0') + 1, 1));
    return std::to_string(ppm / 1'000'000) + '.' + fraction;
}

std::string age(std::int64_t ms)
{
    struct Unit
    {
        std::int64_t seconds;
        const char* name;
    };

    constexpr std::array<Unit, 3> kUnits{{{86'400, " d"}, {3600, " h"}, {60, " min"}}};
    const std::int64_t seconds = std::max<std::int64_t>(ms, 0) / 1000;
    for (const Unit& unit : kUnits) {
        if (seconds >= unit.seconds) return std::to_string(seconds / unit.seconds) + unit.name;
    }
    return std::to_string(seconds) + " s";
}

} // namespace

const QualityScore* scoreOf(
    std::span<const QualityScore> scores,
    std::string_view model,
    std::string_view provider,
    std::string_view taskType)
{
    const auto found = std::find_if(scores.begin(), scores.end(), [&](const QualityScore& each) {
        return each.model == model && each.provider == provider && each.taskType == taskType;
    });
    return found == scores.end() ? nullptr : &*found;
}

bool isBelowFloor(const QualityScore* score, const TaskConfig& task)
{
    return score != nullptr && score->scorePpm < floorPpm(task);
}

std::string
describeBelowFloor(const QualityScore& score, const TaskConfig& task, std::int64_t nowMs)
{
    return "scored " + share(score.scorePpm) + " for task type " + task.name + " (" +
           std::to_string(score.cases) + (score.cases == 1 ? " case, " : " cases, ") +
           age(nowMs - epochMs(score.scoredAt)) + " old), below its quality_floor of " +
           share(floorPpm(task));
}

} // namespace weir::routing
