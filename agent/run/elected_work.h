// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/gates.h"
#include "agent/run/failover_job.h"
#include "agent/run/fleet_report.h"
#include "agent/run/incident_job.h"
#include "agent/run/store_clock.h"
#include "agent/run/summary_job.h"
#include "agent/store/database.h"
#include "common/model/control.h"
#include "common/model/status.h"

#include <functional>
#include <memory>
#include <vector>

namespace weir::run {

/// What the work needs to know of the agent that does it. Functions that any thread may call.
struct ElectedWorkOptions
{
    std::function<std::shared_ptr<const Config>()> config;
    std::function<std::shared_ptr<const Control>()> control;
    std::function<std::vector<AgentPresence>()> agents;
};

/// What one agent does for the whole fleet, for as long as it has the lease: makes the summaries,
/// judges incidents and budgets, and looks what a failover would take. It begins with what its
/// predecessor saved, and everything that it saves goes under its lease: the store refuses it
/// (error code "fenced") once another agent has taken over. Belongs to the thread of the store.
class ElectedWork final
{
public:
    ElectedWork(
        ElectedWorkOptions options,
        store::Database& store,
        const fleet::Gates& gates,
        const StoreClock& clock,
        store::Lease lease);

    /// Asked before each page of a long reading; an error ends it.
    void setKeepAlive(std::function<Status<>()> keepAlive);

    /// Where the predecessor stopped. Fails where the store cannot be read: call it again.
    [[nodiscard]] Status<> begin();

    /// The next summary, saved already.
    [[nodiscard]] Result<Summary> summarise(const Summary* before);

    /// Some times a minute: reads on in the ledger, judges the minutes that are over, and saves the
    /// report.
    [[nodiscard]] Status<> look(const Summary* newest);

    /// About once a minute: what keeps the store from growing for ever. True where it is to be
    /// called again soon, for more is left than a call may do.
    [[nodiscard]] bool keepHouse();

    [[nodiscard]] const FleetReport& report() const { return m_report; }

private:
    [[nodiscard]] SummaryInputs inputs();
    [[nodiscard]] FleetNews news() const;

    ElectedWorkOptions m_options;
    store::Database& m_store;
    const fleet::Gates& m_gates;
    const StoreClock& m_clock;
    store::Lease m_lease;
    SummaryJob m_job;
    IncidentJob m_incidents;
    FailoverJob m_failover;
    IncidentJob::Gauges m_gauges;
    FleetReport m_report;
};

} // namespace weir::run
