// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/eval_plan.h"
#include "common/quality/answer.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace weir::ctl {

/// What one request of a run used and cost, as far as the agent could tell.
struct EvalUse
{
    std::optional<std::int64_t> inputTokens;
    std::optional<std::int64_t> outputTokens;
    std::optional<std::int64_t> costMicroUsd;

    void add(const EvalUse& more);
};

/// What came of one request.
struct EvalReply
{
    /// Nothing where no answer came.
    std::optional<quality::Answer> answer;
    EvalUse use;
    std::chrono::milliseconds took{0};
    /// Why no answer came, in words that hold nothing of it.
    std::string trouble;
    /// It may be asked again, after so long.
    std::optional<std::chrono::milliseconds> again;
    /// Nothing that is asked of this agent can be answered: the run is over.
    bool isHopeless = false;
};

/// The case's body for one route, or for a model's best where `provider` is empty.
[[nodiscard]] std::string
evalBody(const std::string& request, const std::string& model, const std::string& provider);

/// Asks once.
[[nodiscard]] EvalReply askOnce(Waiter& waiter, const EvalPlan& plan, const std::string& body);

/// Asks until an answer comes, the failure is none that passes, or the plan's patience is over.
[[nodiscard]] EvalReply askPatiently(Waiter& waiter, const EvalPlan& plan, const std::string& body);

} // namespace weir::ctl
