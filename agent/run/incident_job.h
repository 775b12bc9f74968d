// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/gates.h"
#include "agent/run/budget_job.h"
#include "agent/store/learned_store.h"
#include "agent/store/lease_store.h"
#include "common/model/drill.h"
#include "common/model/summary.h"
#include "common/routing/incident_book.h"
#include "common/routing/minute_facts_builder.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>

namespace weir::run {

/// The agents of the fleet, as the elected one hears of them.
struct FleetNews
{
    std::int64_t agents = 1;
    /// Of them, those that run their gates without the fleet.
    std::int64_t localAgents = 0;
    /// So often the shared gates had lost their state since the elected agent's process began.
    std::int64_t emptied = 0;
};

/// Turns what the ledger, the gates and the summaries say into minutes, and these into incidents in
/// the store. Belongs to the thread of the summary job.
class IncidentJob final
{
public:
    using Gauges = std::map<fleet::RouteStates::Key, fleet::GateGauge>;

    /// What it saves, it saves under the lease.
    IncidentJob(store::LearnedStore& store, store::Lease lease);

    /// What was open goes on; minutes begin at `fromMs`.
    [[nodiscard]] Status<> restore(std::int64_t fromMs);

    /// The drills of late: what opened on the route of one says so.
    std::function<std::vector<Drill>()> drills;

    /// Every row of the ledger, as it comes in. Those from before the start are known already.
    void add(const store::FactRow& row);
    void note(const Summary& before, const Summary& after);
    /// Some times a minute.
    void look(const Gauges& gauges, const FleetNews& news, std::int64_t nowMs);

    /// Judges the minutes that are over and saves what changed. `summaryAgeMs`: -1 = none.
    [[nodiscard]] Status<> advance(std::int64_t nowMs, std::int64_t summaryAgeMs);

    /// The end of the last minute that was judged.
    [[nodiscard]] std::int64_t judgedUntilMs() const { return m_nextMs; }

    /// As of the last minute that is over.
    [[nodiscard]] std::vector<routing::BudgetStatus> budgets() const { return m_budgets.status(); }

private:
    using RowKey = std::tuple<std::string, std::string, std::string>;

    /// Where a failed attempt may turn out to be the last of its request.
    struct Failed
    {
        std::int64_t startMs = 0;
        RowKey row;
    };

    [[nodiscard]] std::int64_t minuteOf(std::int64_t ms) const;
    [[nodiscard]] routing::RouteMinute& rowOf(std::int64_t startMs, const RowKey& key);
    void noteDiverted(const store::FactRow& row, std::int64_t startMs);
    [[nodiscard]] routing::MinuteFacts take(std::int64_t startMs);

    store::LearnedStore& m_store;
    store::Lease m_lease;
    routing::IncidentBook m_book;
    BudgetJob m_budgets;
    std::map<std::int64_t, routing::MinuteFactsBuilder> m_minutes;
    std::unordered_map<std::string, Failed> m_failed;
    std::map<fleet::RouteStates::Key, std::int64_t> m_cuts;
    std::map<fleet::RouteStates::Key, std::int64_t> m_openSinceMs;
    FleetNews m_news;
    std::optional<std::int64_t> m_emptiedBefore;
    bool m_gatesEmptied = false;
    std::int64_t m_localBefore = 0;
    /// The newest: who leads, and what a task costs where.
    Summary m_summary;
    std::int64_t m_originMs = 0;
    std::int64_t m_nextMs = 0;
};

} // namespace weir::run
