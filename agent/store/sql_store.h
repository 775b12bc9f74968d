// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/database.h"
#include "agent/store/ledger_sink.h"
#include "agent/store/sql.h"

#include <memory>

namespace weir::store {

/// The store in SQL, written once for all drivers.
class SqlStore final : public Database
{
public:
    SqlStore(std::unique_ptr<SqlConnection> connection, std::unique_ptr<LedgerSink> sink);

    [[nodiscard]] Result<Decisions> readDecisions() override;
    [[nodiscard]] Result<Write<RoutingSwitch>> writeSwitch(const SwitchChange& change) override;
    [[nodiscard]] Result<Write<RoutingSettings>>
    writeSettings(const SettingsChange& change) override;
    [[nodiscard]] Result<Write<RouteSettings>> writeRoute(const RouteChange& change) override;
    [[nodiscard]] Result<std::vector<AuditEntry>> audit(int limit) override;
    [[nodiscard]] std::size_t ledgerBatchRows() const override;
    [[nodiscard]] Result<Ingested> ingest(
        std::vector<CallRecord> records,
        const std::string& agent,
        const SpoolPosition& end,
        const std::function<void()>& meanwhile) override;
    [[nodiscard]] Result<std::optional<SpoolPosition>>
    spoolPosition(const std::string& agent) override;
    [[nodiscard]] Result<std::int64_t> heartbeat(const Heartbeat& beat) override;
    [[nodiscard]] Result<std::vector<AgentPresence>> agents() override;
    [[nodiscard]] Status<> forgetAgent(const std::string& id) override;
    [[nodiscard]] Result<std::string> fleetSecret() override;
    [[nodiscard]] Result<bool> awaitChange(std::chrono::milliseconds atMost) override;
    void wake() override;
    void hangUp() override;
    [[nodiscard]] Result<LedgerPage> queryLedger(const LedgerQuery& query) override;
    [[nodiscard]] Result<std::vector<ProviderTotals>> totals(const LedgerFilter& filter) override;
    [[nodiscard]] Result<std::vector<HistoryPoint>> history(const HistoryQuery& query) override;
    [[nodiscard]] Result<std::vector<RouteActivity>> activity(UtcTime from, UtcTime to) override;
    [[nodiscard]] Status<> eachAttempt(const RequestQuery& query, const SeeAttempt& see) override;
    [[nodiscard]] Status<> eachUnserved(const RequestQuery& query, const SeeUnserved& see) override;

    [[nodiscard]] Result<std::vector<ReasonCount>>
    reasons(std::int64_t fromMs, std::int64_t toMs, std::int64_t stepMs) override;
    [[nodiscard]] Result<std::optional<Unserved>> unserved(const std::string& requestId) override;

    [[nodiscard]] Status<> insertSummary(const SummaryRow& summary, const Lease& lease) override;
    [[nodiscard]] Result<std::optional<SummaryRow>>
    latestSummary(const std::string& knownId) override;
    [[nodiscard]] Result<std::optional<SummaryRow>> summary(const std::string& id) override;
    [[nodiscard]] Result<std::int64_t> pruneSummaries(std::int64_t beforeMs) override;
    [[nodiscard]] Result<std::vector<GateStateRow>> gateStates() override;
    [[nodiscard]] Status<>
    saveGateStates(std::span<const GateStateRow> rows, std::int64_t nowMs) override;
    [[nodiscard]] Status<>
    saveIncidents(std::span<const Incident> incidents, const Lease& lease) override;
    [[nodiscard]] Result<std::vector<Incident>> incidents(const IncidentQuery& query) override;
    [[nodiscard]] Result<std::optional<Incident>> incident(const std::string& id) override;
    [[nodiscard]] Status<>
    saveReport(const std::string& name, const std::string& json, const Lease& lease) override;
    [[nodiscard]] Result<std::optional<ReportRow>> report(const std::string& name) override;
    [[nodiscard]] Result<FactCursor> rowBefore(std::int64_t startedAtMs) override;
    [[nodiscard]] Result<std::vector<FactRow>> facts(const FactCursor& after, int limit) override;
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

    [[nodiscard]] Result<std::vector<IncidentNote>> notes(const std::string& incidentId) override;
    [[nodiscard]] Result<Write<IncidentNote>> writeNote(const NoteChange& change) override;
    [[nodiscard]] Result<std::vector<AuditEntry>>
    auditBetween(std::int64_t fromMs, std::int64_t toMs, int limit) override;

    [[nodiscard]] Result<std::optional<Lease>> takeLease(
        const std::string& job, const std::string& holder, std::chrono::milliseconds ttl) override;
    [[nodiscard]] Status<> giveUpLease(const Lease& lease) override;
    [[nodiscard]] Result<std::optional<Lease>> leaseHolder(const std::string& job) override;
    [[nodiscard]] Result<std::vector<Chore>> keepHouse(int keepDays) override;

private:
    std::unique_ptr<SqlConnection> m_connection;
    SqlConnection& m_db;
    std::unique_ptr<LedgerSink> m_sink;
};

} // namespace weir::store
