// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/fact_row.h"
#include "agent/store/lease_store.h"
#include "agent/store/route_step.h"
#include "common/base/result.h"
#include "common/model/incident.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir::store {

/// A published summary as it stands in `summary_snapshot`.
struct SummaryRow
{
    std::string id;
    std::int64_t computedAtMs = 0;
    std::int64_t settingsVersion = 0;
    /// The whole summary.
    std::string json;

    bool operator==(const SummaryRow&) const = default;
};

/// What a route's gate needs to go on after a restart. Its row says that the route was ever used.
struct GateStateRow
{
    std::string model;
    std::string provider;
    std::int64_t firstSeenMs = 0;
    std::string state;

    bool operator==(const GateStateRow&) const = default;
};

/// What the agent that works for all found out besides: for the others to show.
struct ReportRow
{
    std::string json;
    /// By the database's clock.
    std::int64_t atMs = 0;
};

struct IncidentQuery
{
    /// Those open at or after.
    std::optional<std::int64_t> sinceMs;
    bool openOnly = false;
    int limit = 200;
};

/// The database behind the summary job and the gates. Like `Store`: an object belongs to one thread
/// and every call may wait. What is written under a lease is refused as a whole with error code
/// "fenced" where the lease is not the holder's any more, or is over.
class LearnedStore
{
public:
    virtual ~LearnedStore() = default;

    /// A summary with a known id changes nothing: its bytes are the same.
    [[nodiscard]] virtual Status<> insertSummary(const SummaryRow& summary, const Lease& lease) = 0;
    /// Nothing where there is none, or where it is the one with the id known.
    [[nodiscard]] virtual Result<std::optional<SummaryRow>>
    latestSummary(const std::string& knownId) = 0;
    [[nodiscard]] virtual Result<std::optional<SummaryRow>> summary(const std::string& id) = 0;
    /// Forgets those computed before, but never the newest. Returns how many went.
    [[nodiscard]] virtual Result<std::int64_t> pruneSummaries(std::int64_t beforeMs) = 0;

    [[nodiscard]] virtual Result<std::vector<GateStateRow>> gateStates() = 0;
    /// One transaction; `first_seen` of a known route stays.
    [[nodiscard]] virtual Status<>
    saveGateStates(std::span<const GateStateRow> rows, std::int64_t nowMs) = 0;

    /// One transaction: each incident whole, its events included.
    [[nodiscard]] virtual Status<>
    saveIncidents(std::span<const Incident> incidents, const Lease& lease) = 0;
    /// Newest onset first.
    [[nodiscard]] virtual Result<std::vector<Incident>> incidents(const IncidentQuery& query) = 0;
    [[nodiscard]] virtual Result<std::optional<Incident>> incident(const std::string& id) = 0;

    /// Replaces the one of that name.
    [[nodiscard]] virtual Status<>
    saveReport(const std::string& name, const std::string& json, const Lease& lease) = 0;
    [[nodiscard]] virtual Result<std::optional<ReportRow>> report(const std::string& name) = 0;

    /// The place before the first attempt that started at or after; the last one where there is
    /// none.
    [[nodiscard]] virtual Result<FactCursor> rowBefore(std::int64_t startedAtMs) = 0;
    /// At most `limit` attempts behind the place, in order: never a scan of the history.
    [[nodiscard]] virtual Result<std::vector<FactRow>>
    facts(const FactCursor& after, int limit) = 0;

    /// Shows every step that began in [from, to), by its start; what is shown is overwritten by the
    /// next. `see` must not call the store.
    [[nodiscard]] virtual Status<> eachRouteStep(
        RouteStepLength length,
        std::int64_t fromMs,
        std::int64_t toMs,
        const SeeRouteStep& see) = 0;
};

} // namespace weir::store
