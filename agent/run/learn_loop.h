// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/local_gates.h"
#include "agent/run/failover_job.h"
#include "agent/run/incident_job.h"
#include "agent/run/summary_job.h"
#include "agent/store/database.h"
#include "common/base/published.h"
#include "common/model/control.h"
#include "common/routing/budget_book.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace weir::run {

struct LearnLoopOptions
{
    std::string agentId;
    std::function<std::shared_ptr<const Config>()> config;
    std::function<std::shared_ptr<const Control>()> control;
};

/// The thread that learns: makes the summaries and saves the gates, on a database connection of its
/// own, so that neither heartbeats nor the switch ever wait for it.
class LearnLoop final
{
public:
    /// Restores gates and the newest summary, so that the first request already goes by them.
    LearnLoop(
        LearnLoopOptions options,
        std::unique_ptr<store::Database> store,
        fleet::LocalGates& gates,
        Published<Summary>& summary);
    ~LearnLoop();
    LearnLoop(const LearnLoop&) = delete;
    LearnLoop& operator=(const LearnLoop&) = delete;

    void start();
    /// Saves the gates a last time and ends the thread.
    void stop();

    /// What failing over would take; null at first. Any thread.
    [[nodiscard]] std::shared_ptr<const FailoverReport> failover() const
    {
        return m_failover.report();
    }

    /// The error budgets as of the last minute; any thread may ask.
    [[nodiscard]] std::shared_ptr<const std::vector<routing::BudgetStatus>> budgets() const
    {
        return m_budgets.get();
    }

private:
    void restoreGates();
    void restoreSummary();
    void run();
    [[nodiscard]] store::Lease takenLease();
    [[nodiscard]] bool isElected();
    void summarise();
    void findIncidents();
    [[nodiscard]] std::vector<Drill> lateDrills();
    [[nodiscard]] SummaryInputs inputs();
    void saveGates();
    void complain(const char* event, const std::string& trouble, std::string& last);

    LearnLoopOptions m_options;
    std::unique_ptr<store::Database> m_store;
    store::Lease m_lease;
    fleet::LocalGates& m_gates;
    Published<Summary>& m_summary;
    SummaryJob m_job;
    IncidentJob m_incidents;
    FailoverJob m_failover;
    Published<std::vector<routing::BudgetStatus>> m_budgets;
    IncidentJob::Gauges m_gauges;
    std::string m_summaryTrouble;
    std::string m_gateTrouble;
    std::string m_incidentTrouble;

    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stopping = false;
    std::thread m_thread;
};

/// How old a summary is; the system's clock may have been set back since: then it is new.
[[nodiscard]] std::chrono::milliseconds ageOf(const Summary& summary, UtcTime now);

} // namespace weir::run
