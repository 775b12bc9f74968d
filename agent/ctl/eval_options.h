// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/command_line.h"

namespace CLI {
class App;
} // namespace CLI

namespace weir::ctl {

/// What the options of `eval` are read into, until the verb is chosen.
struct EvalTexts
{
    EvalRunVerb run;
    EvalShowVerb show;
};

/// Adds the group `eval`. `texts` outlives the parsing.
void addEval(CLI::App& app, Verb& verb, EvalTexts& texts);

} // namespace weir::ctl
