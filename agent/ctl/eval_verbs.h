// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::ctl {

/// The verbs that score routes on an eval set.

struct EvalRunVerb
{
    std::string setFile;
    std::string taskType;
    /// Empty = the task's ladder, which only the configuration knows.
    std::vector<std::string> models;
    /// Providers; empty = all of each model.
    std::vector<std::string> providers;
    /// A model; needed where a case is graded by one.
    std::string grader;
    int concurrency = 4;
    /// How long one case is tried again where a route is at its rate or out.
    int patienceS = 60;
    bool dryRun = false;
    std::string regions;
    std::string terms;
    /// The variable that holds a client key; empty = none is sent.
    std::string keyEnv;
    /// Empty = the configuration's data plane, else http://127.0.0.1:8790.
    std::string dataUrl;
};

/// The scores that routing goes by.
struct EvalListVerb
{
};

/// One run, or the newest ones.
struct EvalShowVerb
{
    std::string run;
    int limit = 50;
};

} // namespace weir::ctl
