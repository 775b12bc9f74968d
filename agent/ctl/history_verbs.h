// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"
#include "common/model/outcome.h"

#include <optional>
#include <string>
#include <vector>

namespace weir::ctl {

/// The verbs that look back: ledger, decisions, incidents, mirrors and reports.

/// What failing over would take, by the demand of the last hours.
struct CapacityVerb
{
};

struct LedgerQueryVerb
{
    std::optional<UtcTime> since;
    std::optional<UtcTime> until;
    std::string requestId;
    std::string taskId;
    std::string taskType;
    std::string model;
    std::string provider;
    std::optional<Outcome> outcome;
    int limit = 50;
    /// The cursor that the page before ended with, as printed.
    std::string after;
};

struct DecisionsListVerb
{
    std::optional<UtcTime> since;
    int limit = 50;
};

struct DecisionsShowVerb
{
    std::string requestId;
};

struct DecisionsReplayVerb
{
    std::optional<UtcTime> since;
    /// KEY=VALUE of settings, as given: what would have been decided with these. Empty = as it was.
    std::vector<std::string> assignments;
};

struct DecisionsAgreementVerb
{
    std::optional<UtcTime> since;
};

struct IncidentsListVerb
{
    std::optional<UtcTime> since;
    bool openOnly = false;
    int limit = 50;
};

struct IncidentsShowVerb
{
    std::string id;
};

/// All of the time as JSON lines, for a report.
struct IncidentsExportVerb
{
    std::optional<UtcTime> since;
};

/// Requests that began in [from, to).
struct ReportVerb
{
    UtcTime from{};
    UtcTime to{};
    /// Empty = all.
    std::string taskType;
};

struct MirrorReportVerb
{
    std::optional<UtcTime> since;
    /// Empty = all.
    std::string taskType;
};

/// Each task type from then to now, its costs against the time before.
struct TasksVerb
{
    UtcTime from{};
    UtcTime to{};
};

} // namespace weir::ctl
