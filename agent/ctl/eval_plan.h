// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/places.h"
#include "common/quality/eval_set.h"

#include <chrono>
#include <string>
#include <vector>

namespace weir::ctl {

struct EvalTarget
{
    std::string model;
    std::string provider;

    bool operator==(const EvalTarget&) const = default;
};

/// Everything that an eval run needs to know before it begins.
struct EvalPlan
{
    quality::EvalSet set;
    /// The file's name without its folders.
    std::string setName;
    std::string taskType;
    std::vector<EvalTarget> targets;
    std::string grader;
    /// The agent's data plane.
    AgentAddress address;
    /// The fields of every request, as lines.
    std::string fields;
    int concurrency = 4;
    std::chrono::seconds patience{60};
};

/// Reads the set and finds the routes: of the configuration where one is named, else of the running
/// agent. Error code "bad_usage" where the command line or the set is to blame; others where the
/// agent is.
[[nodiscard]] Result<EvalPlan>
planEval(const EvalRunVerb& verb, const Places& places, const config::EnvLookup& env);

} // namespace weir::ctl
