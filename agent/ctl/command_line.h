// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/control_verbs.h"
#include "agent/ctl/drill_verbs.h"
#include "agent/ctl/eval_verbs.h"
#include "agent/ctl/history_verbs.h"
#include "agent/ctl/io.h"
#include "common/base/time.h"
#include "common/model/outcome.h"
#include "common/sim/scenario.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace weir::ctl {

/// What every verb understands.
struct Options
{
    bool json = false;
    /// Empty = the configuration's admin address, else http://127.0.0.1:8791.
    std::string agentUrl;
    /// Empty = the configuration's store, else the embedded one in the data directory.
    std::string storeUrl;
    std::string configFile;
    std::string dataDir;
    /// The variable that holds the admin token; empty = the one that the configuration names.
    std::string tokenEnv;
};

struct StatusVerb
{
};

struct TopVerb
{
    bool once = false;
};

struct SimulateVerb
{
    std::string scenarioFile;
    std::optional<sim::SimPolicy> policy;
    std::optional<std::uint64_t> seed;
    std::string outFile;
};

using Verb = std::variant<
    StatusVerb,
    CapacityVerb,
    TopVerb,
    ModeGetVerb,
    ModeSetVerb,
    SettingsGetVerb,
    SettingsSetVerb,
    AgentsListVerb,
    AgentsForgetVerb,
    StoreMigrateVerb,
    LedgerQueryVerb,
    SimulateVerb,
    EvalRunVerb,
    EvalListVerb,
    EvalShowVerb,
    DecisionsListVerb,
    DecisionsShowVerb,
    DecisionsReplayVerb,
    DecisionsAgreementVerb,
    IncidentsListVerb,
    IncidentsShowVerb,
    IncidentsExportVerb,
    ReportVerb,
    MirrorReportVerb,
    TasksVerb,
    DrillStartVerb,
    DrillStopVerb,
    DrillListVerb,
    DrillReportVerb>;

struct Invocation
{
    Options options;
    Verb verb;
};

/// Nothing to do but to print: help, the version, or what is wrong with the command line.
struct Farewell
{
    Exit exit = Exit::Usage;
    std::string text;
};

/// `arguments` without the program's name; relative times count back from `now`.
[[nodiscard]] Result<Invocation, Farewell>
parseCommandLine(const std::vector<std::string>& arguments, UtcTime now);

/// "2026-11-30T10:00:00Z", "2026-11-30", or an age such as "90s", "15m", "2h", "7d" before `now`.
[[nodiscard]] std::optional<UtcTime> parseMoment(std::string_view text, UtcTime now);

} // namespace weir::ctl
