// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"
#include "common/model/decision.h"
#include "common/routing/next_attempt.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::routing {

/// The degradation ladder (contract section 2): which models may serve, and when a request steps
/// down from one to the next. The agent and the simulator go by these.

/// What a request says of its ladder. Views hold for the call.
struct LadderAsk
{
    /// Empty or "auto" = the task's own first choice.
    std::string_view model;
    /// The caller's own ladder, below all others.
    std::span<const std::string> callerModels;
    /// A worse answer is not wanted; the task's own bound holds beside it.
    std::optional<int> lowestLevel;
};

/// One step: a view of the name that was handed in.
struct LadderStep
{
    std::string_view model;
    int level = 0;

    bool operator==(const LadderStep&) const = default;
};

/// The steps, best first: the task's own for "auto", else the model that was named and what stands
/// below it on the task's ladder or in the caller's list; the answer endpoint last, where the
/// request is on the task's ladder. Models that are not `known` are left out, and so are
/// repetitions; empty where nobody is known.
[[nodiscard]] std::vector<LadderStep> ladderOf(
    const TaskConfig& task,
    const LadderAsk& ask,
    const std::function<bool(std::string_view)>& known);

/// The last attempt of a step failed in a way that the next one, of this level, could mend, and the
/// request has a failover left for it. An answer endpoint is always worth asking: it is no load on
/// anybody. `log` is as it was before that attempt was noted.
[[nodiscard]] bool mayStepDown(const AttemptLog& log, Outcome failed, int nextLevel);

/// Every route of the step is over its rate, broken or on hold, and the first of them, whose gate
/// this is, wants no probe now: a sound one below serves better (seed document 001: the overflow
/// moves to the next level), and only where there is none is this step tried all the same.
[[nodiscard]] bool isPassedOver(const Decision& decision, const GateView& firstGate);

/// Of two steps that were passed over, the one to try where no other is left: what is merely over
/// its rate may well answer, what is broken or on hold will not; else the upper one.
[[nodiscard]] bool isBetterLastResort(const Decision& lower, const Decision& upper);

/// Batch work gives way where every route of the step is over its rate or out; interactive work
/// never does.
[[nodiscard]] bool isShed(const Decision& decision, EffectiveMode mode, bool batch);

} // namespace weir::routing
