// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/command_line.h"

#include <memory>

namespace CLI {
class App;
} // namespace CLI

namespace weir::ctl {

/// What the options of `decisions`, `incidents`, `mirror`, `report` and `tasks` are read into,
/// until the verb is chosen.
struct HistoryTexts
{
    std::string since = "24h";
    DecisionsListVerb list;
    DecisionsShowVerb show;
    DecisionsReplayVerb replay;
    IncidentsListVerb incidents;
    IncidentsShowVerb incident;
    /// Empty = now.
    std::string to;
    ReportVerb report;
    MirrorReportVerb mirror;
};

/// Adds the groups `decisions`, `incidents` and `mirror`, and the verbs `report` and `tasks`.
/// `texts` outlives the parsing.
void addHistory(CLI::App& app, Verb& verb, HistoryTexts& texts, UtcTime now);

} // namespace weir::ctl
