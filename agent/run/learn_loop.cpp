// SPDX-License-Identifier: Apache-2.0
#include "agent/run/learn_loop.h"

#include "agent/net/clock.h"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace weir::run {
namespace {

constexpr int kLateDrills = 50;
constexpr std::chrono::seconds kSaveGatesEvery{3};
constexpr std::chrono::seconds kIncidentsEvery{5};
constexpr std::int64_t kUnlimited = -1;
/// Of the stores' agents one learns for all.
constexpr const char* kJob = "summary";
constexpr std::chrono::seconds kLeaseFor{10};

void bound(std::int64_t& limit, std::int64_t by)
{
    if (by == kUnlimited) return;
    limit = limit == kUnlimited ? by : std::min(limit, by);
}

void setGate(routing::RouteSetup& route, const fleet::LocalGates::Gauge& gauge)
{
    route.aboveFloor = gauge.view.aboveFloor;
    route.breaker = gauge.view.breaker;
    route.hold = gauge.view.hold;
    // A cap, a quota, or a rate that was cut, limits what the plan may give a route.
    route.limitMilliRps = gauge.view.capMilliRps;
    bound(route.limitMilliRps, gauge.quotaMilliRps);
    if (gauge.cut || gauge.recovering) bound(route.limitMilliRps, gauge.view.permittedMilliRps);
}

} // namespace

std::chrono::milliseconds ageOf(const Summary& summary, UtcTime now)
{
    return std::chrono::milliseconds{
        std::max<std::int64_t>(epochMs(now) - summary.computedAtMs, 0)};
}

LearnLoop::LearnLoop(
    LearnLoopOptions options,
    std::unique_ptr<store::Database> store,
    fleet::LocalGates& gates,
    Published<Summary>& summary)
    : m_options(std::move(options))
    , m_store(std::move(store))
    , m_lease(takenLease())
    , m_gates(gates)
    , m_summary(summary)
    , m_job(*m_store, m_lease)
    , m_incidents(*m_store, m_lease)
    , m_budgets(std::make_shared<const std::vector<routing::BudgetStatus>>())
{
    m_job.observe = [this](const store::FactRow& row) {
        m_incidents.add(row);
        m_failover.add(row);
    };
    m_incidents.drills = [this] { return lateDrills(); };
    const Status<> known = m_incidents.restore(epochMs(net::utcNow()));
    complain("incidents_wait", known ? "" : known.error().text(), m_incidentTrouble);
    restoreGates();
    restoreSummary();
}

LearnLoop::~LearnLoop()
{
    stop();
}

/// Token 0, which is nobody's, where another agent has it.
store::Lease LearnLoop::takenLease()
{
    const Result<std::optional<store::Lease>> taken =
        m_store->takeLease(kJob, m_options.agentId, kLeaseFor);
    return taken && *taken ? **taken : store::Lease{kJob, m_options.agentId, 0};
}

bool LearnLoop::isElected()
{
    return takenLease().token == m_lease.token;
}

void LearnLoop::restoreGates()
{
    const Result<std::vector<store::GateStateRow>> rows = m_store->gateStates();
    if (!rows) {
        spdlog::warn("event=gates_unreadable detail=\"{}\"", rows.error().text());
        return;
    }
    std::vector<fleet::SavedGate> saved;
    for (const store::GateStateRow& row : *rows)
        saved.push_back({row.model, row.provider, row.state});
    m_gates.restore(saved, net::monotonicNow());
}

void LearnLoop::restoreSummary()
{
    Result<std::optional<Summary>> restored = m_job.restore();
    if (!restored) {
        spdlog::warn("event=summary_unreadable detail=\"{}\"", restored.error().text());
    } else if (*restored) {
        m_summary.publish(std::make_shared<const Summary>(std::move(**restored)));
    }
}

void LearnLoop::start()
{
    m_thread = std::thread([this] { run(); });
}

void LearnLoop::stop()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    if (!m_thread.joinable()) return;
    m_thread.join();
    saveGates();
    static_cast<void>(m_store->giveUpLease(m_lease));
}

void LearnLoop::run()
{
    Instant nextSummary = net::monotonicNow();
    Instant nextSave = nextSummary + kSaveGatesEvery;
    Instant nextLook = nextSummary + kIncidentsEvery;
    std::unique_lock lock(m_mutex);
    while (!m_stopping) {
        lock.unlock();
        const Instant now = net::monotonicNow();
        const bool elected = isElected();
        if (now >= nextSummary) {
            elected ? summarise() : restoreSummary();
            nextSummary = now + m_options.config()->timing.summaryInterval;
        }
        if (now >= nextLook) {
            if (elected) findIncidents();
            nextLook = now + kIncidentsEvery;
        }
        if (now >= nextSave) {
            saveGates();
            nextSave = now + kSaveGatesEvery;
        }
        lock.lock();
        const Instant next = std::min({nextSummary, nextSave, nextLook});
        m_wake.wait_for(lock, next - net::monotonicNow(), [this] { return m_stopping; });
    }
}

SummaryInputs LearnLoop::inputs()
{
    const std::shared_ptr<const Control> control = m_options.control();
    SummaryInputs inputs;
    inputs.config = m_options.config();
    if (control->decisions) {
        inputs.policy = control->policy;
        inputs.settings = control->decisions->routes;
    }
    inputs.nowMs = epochMs(net::utcNow());
    m_gauges = m_gates.gauges(net::monotonicNow());
    inputs.gate = [this](const std::string& model, routing::RouteSetup& route) {
        const auto gauge = m_gauges.find({model, route.provider});
        if (gauge != m_gauges.end()) setGate(route, gauge->second);
    };
    inputs.demand = [this](const std::string& model) { return m_gates.demandMilliRps(model); };
    return inputs;
}

void LearnLoop::summarise()
{
    Result<Summary> summary = m_job.run(inputs());
    complain("summary_waits", summary ? "" : summary.error().text(), m_summaryTrouble);
    if (!summary) return;
    const std::shared_ptr<const Summary> before = m_summary.get();
    m_incidents.note(before ? *before : Summary{}, *summary);
    m_summary.publish(std::make_shared<const Summary>(std::move(*summary)));
}

void LearnLoop::findIncidents()
{
    const SummaryInputs now = inputs();
    Status<> done = m_job.catchUp(now);
    m_incidents.look(m_gauges, now.nowMs);
    m_failover.look(*now.config, now.settings, m_gauges, now.nowMs);
    const std::shared_ptr<const Summary> summary = m_summary.get();
    const std::int64_t age =
        summary ? std::max<std::int64_t>(now.nowMs - summary->computedAtMs, 0) : -1;
    if (done) done = m_incidents.advance(now.nowMs, age);
    complain("incidents_wait", done ? "" : done.error().text(), m_incidentTrouble);
    m_budgets.publish(
        std::make_shared<const std::vector<routing::BudgetStatus>>(m_incidents.budgets()));
}

/// Those that an incident which is still told of may have begun in.
std::vector<Drill> LearnLoop::lateDrills()
{
    std::vector<Drill> drills;
    const auto rows = m_store->drills(kLateDrills);
    if (!rows) return drills;
    for (const store::StoredDrill& row : *rows)
        drills.push_back(row.drill);
    return drills;
}

void LearnLoop::saveGates()
{
    const std::int64_t nowMs = epochMs(net::utcNow());
    std::vector<store::GateStateRow> rows;
    for (fleet::SavedGate& gate : m_gates.save())
        rows.push_back({std::move(gate.model), std::move(gate.provider), nowMs, gate.state});
    if (rows.empty()) return;
    const Status<> saved = m_store->saveGateStates(rows, nowMs);
    complain("gates_wait", saved ? "" : saved.error().text(), m_gateTrouble);
}

/// Once a trouble, not each time.
void LearnLoop::complain(const char* event, const std::string& trouble, std::string& last)
{
    if (trouble == last) return;
    if (!trouble.empty()) spdlog::warn("event={} detail=\"{}\"", event, trouble);
    last = trouble;
}

} // namespace weir::run
