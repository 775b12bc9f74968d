// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/command_line.h"

#include <optional>
#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace weir::ctl {

/// What the options of `drill` are read into, until the verb is chosen.
struct DrillTexts
{
    DrillStartVerb start;
    std::string kind;
    std::string length;
    std::optional<double> share;
    std::optional<std::int64_t> delayMs;
    double abortAbove = 0.05;
    DrillStopVerb stop;
    DrillListVerb list;
    DrillReportVerb report;
};

/// Adds the group `drill`. `texts` outlives the parsing.
void addDrills(CLI::App& app, Verb& verb, DrillTexts& texts);

} // namespace weir::ctl
