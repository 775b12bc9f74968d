// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/database.h"
#include "agent/store/sqlite.h"

#include <filesystem>
#include <memory>

namespace weir::store {

enum class OpenMode : std::uint8_t {
    /// The agent: creates the file, brings its schema up to date, writes the first switch row.
    CreateOrUpgrade,
    /// Tools: the file must exist and have this program's schema.
    Existing,
};

struct SqliteOptions
{
    std::filesystem::path path;
    OpenMode mode = OpenMode::CreateOrUpgrade;
    /// How long a call waits for another process that is writing.
    std::chrono::milliseconds busyTimeout{2000};
    /// Stands in the first rows of a new database.
    std::string host;
    UtcTime now{};
};

/// The embedded store: one SQLite file in WAL mode, shared by the agent, weirctl and the console.
class SqliteStore final : public Database
{
public:
    /// Errors: "store_newer" (written by a newer program), "store_missing", "store_older", "store".
    [[nodiscard]] static Result<std::unique_ptr<SqliteStore>> open(const SqliteOptions& options);

    [[nodiscard]] Result<Decisions> readDecisions() override;
    [[nodiscard]] Result<Write<RoutingSwitch>> writeSwitch(const SwitchChange& change) override;
    [[nodiscard]] Result<Write<RoutingSettings>>
    writeSettings(const SettingsChange& change) override;
    [[nodiscard]] Result<Write<RouteSettings>> writeRoute(const RouteChange& change) override;
    [[nodiscard]] Result<std::vector<AuditEntry>> audit(int limit) override;
    [[nodiscard]] Result<Ingested> ingest(
        std::span<const CallRecord> records,
        const std::string& agent,
        const SpoolPosition& end) override;
    [[nodiscard]] Result<std::optional<SpoolPosition>>
    spoolPosition(const std::string& agent) override;
    [[nodiscard]] Status<> heartbeat(const Heartbeat& beat) override;
    [[nodiscard]] Result<std::vector<AgentPresence>>
    agents(UtcTime now, std::chrono::seconds within) override;
    [[nodiscard]] Result<LedgerPage> queryLedger(const LedgerQuery& query) override;
    [[nodiscard]] Result<std::vector<ProviderTotals>> totals(const LedgerFilter& filter) override;
    [[nodiscard]] Result<std::vector<HistoryPoint>> history(const HistoryQuery& query) override;
    [[nodiscard]] Status<> eachAttempt(const RequestQuery& query, const SeeAttempt& see) override;
    [[nodiscard]] Status<> eachUnserved(const RequestQuery& query, const SeeUnserved& see) override;

    [[nodiscard]] Status<> insertSummary(const SummaryRow& summary) override;
    [[nodiscard]] Result<std::optional<SummaryRow>> latestSummary() override;
    [[nodiscard]] Result<std::optional<SummaryRow>> summary(const std::string& id) override;
    [[nodiscard]] Result<std::int64_t> pruneSummaries(std::int64_t beforeMs) override;
    [[nodiscard]] Result<std::vector<GateStateRow>> gateStates() override;
    [[nodiscard]] Status<>
    saveGateStates(std::span<const GateStateRow> rows, std::int64_t nowMs) override;
    [[nodiscard]] Status<> saveIncidents(std::span<const Incident> incidents) override;
    [[nodiscard]] Result<std::vector<Incident>> incidents(const IncidentQuery& query) override;
    [[nodiscard]] Result<std::optional<Incident>> incident(const std::string& id) override;
    [[nodiscard]] Result<std::int64_t> rowBefore(std::int64_t startedAtMs) override;
    [[nodiscard]] Result<std::vector<FactRow>> facts(std::int64_t afterRow, int limit) override;
    [[nodiscard]] Status<> eachRouteStep(
        RouteStepLength length,
        std::int64_t fromMs,
        std::int64_t toMs,
        const SeeRouteStep& see) override;
    [[nodiscard]] Status<> addComparisons(std::span<const MirrorComparison> comparisons) override;
    [[nodiscard]] Result<std::vector<MirrorComparison>>
    comparisons(const MirrorQuery& query) override;

    [[nodiscard]] Status<> saveEvalRun(std::span<const EvalRunRow> rows) override;
    [[nodiscard]] Result<std::vector<QualityScore>> qualityScores() override;
    [[nodiscard]] Result<std::vector<EvalRunRow>>
    evalRuns(const std::string& run, int limit) override;
    [[nodiscard]] Result<Drill> startDrill(const Drill& drill, const Authorship& by) override;
    [[nodiscard]] Result<StoredDrill> endDrill(const DrillEnd& end) override;
    [[nodiscard]] Result<std::vector<StoredDrill>> drills(int limit) override;
    [[nodiscard]] Result<std::optional<StoredDrill>> drill(const std::string& id) override;
    [[nodiscard]] Status<> saveDrillCounts(
        const std::string& id, const std::string& agent, const DrillCounts& counts) override;
    [[nodiscard]] Result<DrillCounts> drillCounts(const std::string& id) override;

private:
    explicit SqliteStore(SqliteDb db);

    SqliteDb m_db;
};

} // namespace weir::store
