// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/command_line.h"
#include "agent/ctl/io.h"
#include "agent/ctl/places.h"

namespace weir::ctl {

/// One function a verb. Each prints its result on `io.out`, or one line of why not on `io.err`.

Exit run(const StatusVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const CapacityVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const TopVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const ModeGetVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const ModeSetVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const SettingsGetVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const SettingsSetVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const AgentsListVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const AgentsForgetVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const StoreMigrateVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const LedgerQueryVerb& verb, const Places& places, const Options& options, const Io& io);
/// Needs neither agent nor store.
Exit run(const SimulateVerb& verb, const Options& options, const Io& io);
Exit run(const DecisionsListVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const DecisionsShowVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(
    const DecisionsReplayVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(
    const DecisionsAgreementVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const IncidentsListVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const IncidentsShowVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(
    const IncidentsExportVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const ReportVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const MirrorReportVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const TasksVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const DrillStartVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const DrillStopVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const DrillListVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const DrillReportVerb& verb, const Places& places, const Options& options, const Io& io);

Exit run(const EvalRunVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const EvalListVerb& verb, const Places& places, const Options& options, const Io& io);
Exit run(const EvalShowVerb& verb, const Places& places, const Options& options, const Io& io);

/// The whole program but for its process: parses, finds the places, runs the verb.
Exit runWeirctl(const std::vector<std::string>& arguments, const Io& io, UtcTime now);

} // namespace weir::ctl
