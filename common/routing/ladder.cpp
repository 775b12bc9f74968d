// SPDX-License-Identifier: Apache-2.0
#include "common/routing/ladder.h"

#include <algorithm>

namespace weir::routing {
namespace {

/// Below L1 the models of a task's ladder are all "something smaller".
constexpr int kLevelSmaller = 2;

bool isForced(const Decision& decision)
{
    return !decision.candidates.empty() && decision.candidates[0].code == ReasonCode::ForcedOverrun;
}

} // namespace

std::vector<LadderStep> ladderOf(
    const TaskConfig& task,
    const LadderAsk& ask,
    const std::function<bool(std::string_view)>& known)
{
    const std::vector<std::string>& rungs = task.models;
    const bool isAuto = ask.model.empty() || ask.model == "auto";
    const auto from = isAuto ? rungs.begin() : std::find(rungs.begin(), rungs.end(), ask.model);
    std::vector<std::string_view> names;
    if (!isAuto && from == rungs.end()) names.push_back(ask.model);
    names.insert(names.end(), from, rungs.end());
    names.insert(names.end(), ask.callerModels.begin(), ask.callerModels.end());

    const int lowest = std::min(ask.lowestLevel.value_or(task.lowestLevel), task.lowestLevel);
    std::vector<LadderStep> steps;
    for (const std::string_view name : names) {
        const bool isRepeated = std::ranges::find(steps, name, &LadderStep::model) != steps.end();
        if (isRepeated || !known(name)) continue;
        const int level = std::min(static_cast<int>(steps.size()), kLevelSmaller);
        if (level > lowest) break;
        steps.push_back({name, level});
    }
    const bool isOnLadder = isAuto || from != rungs.end();
    const bool mayAnswer = isOnLadder && lowest >= kLevelAnswer && known(task.answerModel);
    if (!steps.empty() && mayAnswer) steps.push_back({task.answerModel, kLevelAnswer});
    return steps;
}

bool mayStepDown(const AttemptLog& log, Outcome failed, int nextLevel)
{
    if (!mayFailOver(failed)) return false;
    return nextLevel == kLevelAnswer || log.failovers < kFailoversMax;
}

bool isPassedOver(const Decision& decision, const GateView& firstGate)
{
    return isForced(decision) && !firstGate.probeFree;
}

bool isBetterLastResort(const Decision& lower, const Decision& upper)
{
    const auto isOut = [](const Decision& step) { return step.heldMask == step.eligibleMask; };
    return isOut(upper) && !isOut(lower);
}

bool isShed(const Decision& decision, EffectiveMode mode, bool batch)
{
    return batch && mode == EffectiveMode::Adaptive && isForced(decision);
}

} // namespace weir::routing
