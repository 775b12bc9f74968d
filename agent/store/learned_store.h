// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/route_step.h"
#include "common/base/result.h"
#include "common/base/time.h"
#include "common/model/call_fact.h"
#include "common/model/call_record.h"
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

/// One attempt of the ledger, as the summary job reads it.
struct FactRow
{
    /// Its place in the order in which rows came in: rising, never reused.
    std::int64_t row = 0;
    std::string requestId;
    int attempt = 1;
    Reason reason = Reason::Fixed;
    std::string model;
    std::string taskType;
    std::string provider;
    bool batch = false;
    /// Without `pool` and `route`, which the reader gives out.
    CallFact fact;
};

inline constexpr int kFactPageMax = 20'000;

struct IncidentQuery
{
    /// Those open at or after.
    std::optional<std::int64_t> sinceMs;
    bool openOnly = false;
    int limit = 200;
};

/// The database behind the summary job and the gates. Like `Store`: an object belongs to one thread
/// and every call may wait.
class LearnedStore
{
public:
    virtual ~LearnedStore() = default;

    /// A summary with a known id changes nothing: its bytes are the same.
    [[nodiscard]] virtual Status<> insertSummary(const SummaryRow& summary) = 0;
    [[nodiscard]] virtual Result<std::optional<SummaryRow>> latestSummary() = 0;
    [[nodiscard]] virtual Result<std::optional<SummaryRow>> summary(const std::string& id) = 0;
    /// Forgets those computed before, but never the newest. Returns how many went.
    [[nodiscard]] virtual Result<std::int64_t> pruneSummaries(std::int64_t beforeMs) = 0;

    [[nodiscard]] virtual Result<std::vector<GateStateRow>> gateStates() = 0;
    /// One transaction; `first_seen` of a known route stays.
    [[nodiscard]] virtual Status<>
    saveGateStates(std::span<const GateStateRow> rows, std::int64_t nowMs) = 0;

    /// One transaction: each incident whole, its events included.
    [[nodiscard]] virtual Status<> saveIncidents(std::span<const Incident> incidents) = 0;
    /// Newest onset first.
    [[nodiscard]] virtual Result<std::vector<Incident>> incidents(const IncidentQuery& query) = 0;
    [[nodiscard]] virtual Result<std::optional<Incident>> incident(const std::string& id) = 0;

    /// The row before the first attempt that started at or after; the last row where there is none.
    [[nodiscard]] virtual Result<std::int64_t> rowBefore(std::int64_t startedAtMs) = 0;
    /// At most `limit` attempts behind the row, in the order of rows: never a scan of the history.
    [[nodiscard]] virtual Result<std::vector<FactRow>> facts(std::int64_t afterRow, int limit) = 0;

    /// Shows every step that began in [from, to), by its start; what is shown is overwritten by the
    /// next. `see` must not call the store.
    [[nodiscard]] virtual Status<> eachRouteStep(
        RouteStepLength length,
        std::int64_t fromMs,
        std::int64_t toMs,
        const SeeRouteStep& see) = 0;
};

} // namespace weir::store
