// SPDX-License-Identifier: Apache-2.0
#include "agent/run/elected_work.h"

#include "agent/net/clock.h"
#include "agent/run/fleet_watch.h"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace weir::run {
namespace {

constexpr int kLateDrills = 50;
constexpr std::int64_t kUnlimited = -1;
/// Minutes that nobody judged, because nobody was elected, are judged late; older ones are left.
constexpr std::int64_t kJudgeBackMs = 10 * 60'000;

void bound(std::int64_t& limit, std::int64_t by)
{
    if (by == kUnlimited) return;
    limit = limit == kUnlimited ? by : std::min(limit, by);
}

void setGate(routing::RouteSetup& route, const fleet::GateGauge& gauge)
{
    route.aboveFloor = gauge.view.aboveFloor;
    route.breaker = gauge.view.breaker;
    route.hold = gauge.view.hold;
    // A cap, a quota, or a rate that was cut, limits what the plan may give a route.
    route.limitMilliRps = gauge.view.capMilliRps;
    bound(route.limitMilliRps, gauge.quotaMilliRps);
    if (gauge.cut || gauge.recovering) bound(route.limitMilliRps, gauge.view.permittedMilliRps);
}

/// Those that an incident which is still told of may have begun in.
std::vector<Drill> lateDrills(store::DrillStore& store)
{
    std::vector<Drill> drills;
    const auto rows = store.drills(kLateDrills);
    if (!rows) return drills;
    for (const store::StoredDrill& row : *rows)
        drills.push_back(row.drill);
    return drills;
}

} // namespace

ElectedWork::ElectedWork(
    ElectedWorkOptions options,
    store::Database& store,
    const fleet::Gates& gates,
    const StoreClock& clock,
    store::Lease lease)
    : m_options(std::move(options))
    , m_store(store)
    , m_gates(gates)
    , m_clock(clock)
    , m_lease(std::move(lease))
    , m_job(store, m_lease)
    , m_incidents(store, m_lease)
{
    m_job.observe = [this](const store::FactRow& row) {
        m_incidents.add(row);
        m_failover.add(row);
    };
    m_incidents.drills = [this] { return lateDrills(m_store); };
}

void ElectedWork::setKeepAlive(std::function<Status<>()> keepAlive)
{
    m_job.keepAlive = std::move(keepAlive);
}

Status<> ElectedWork::begin()
{
    const Result<std::optional<store::ReportRow>> saved = m_store.report(kFleetReport);
    if (!saved) return tl::unexpected(saved.error());
    if (*saved) {
        Result<FleetReport> report = fleetReportFrom((*saved)->json);
        // One that cannot be read is made anew.
        if (report) m_report = std::move(*report);
    }
    const std::int64_t nowMs = epochMs(m_clock.now());
    const bool goesOn =
        m_report.judgedUntilMs <= nowMs && m_report.judgedUntilMs > nowMs - kJudgeBackMs;
    if (Status<> known = m_incidents.restore(goesOn ? m_report.judgedUntilMs : nowMs); !known) {
        return known;
    }
    const Result<std::optional<Summary>> before = m_job.restore();
    // One that cannot be read is made anew, too; a store that cannot is waited for.
    if (!before && before.error().code != "bad_summary") return tl::unexpected(before.error());
    return {};
}

SummaryInputs ElectedWork::inputs()
{
    const std::shared_ptr<const Control> control = m_options.control();
    SummaryInputs inputs;
    inputs.config = m_options.config();
    if (control->decisions) {
        inputs.policy = control->policy;
        inputs.settings = control->decisions->routes;
    }
    inputs.nowMs = epochMs(m_clock.now());
    m_gauges = m_gates.gauges(net::monotonicNow());
    inputs.gate = [this](const std::string& model, routing::RouteSetup& route) {
        const auto gauge = m_gauges.find({model, route.provider});
        if (gauge != m_gauges.end()) setGate(route, gauge->second);
    };
    inputs.demand = [this](const std::string& model) { return m_gates.demandMilliRps(model); };
    return inputs;
}

Result<Summary> ElectedWork::summarise(const Summary* before)
{
    Result<Summary> summary = m_job.run(inputs());
    if (summary) m_incidents.note(before != nullptr ? *before : Summary{}, *summary);
    return summary;
}

FleetNews ElectedWork::news() const
{
    FleetNews news{.agents = 0, .emptied = m_gates.emptied()};
    for (const AgentPresence& agent : m_options.agents()) {
        if (agent.lastSeenS > kAliveS) continue;
        ++news.agents;
        // Whatever the reason is: one whose gates get no answers says so of its Redis.
        if (agent.redis == "down") ++news.localAgents;
    }
    return news;
}

Status<> ElectedWork::look(const Summary* newest)
{
    const SummaryInputs now = inputs();
    Status<> done = m_job.catchUp(now);
    m_incidents.look(m_gauges, news(), now.nowMs);
    m_failover.look(*now.config, now.settings, m_gauges, now.nowMs);
    const std::int64_t age =
        newest != nullptr ? std::max<std::int64_t>(now.nowMs - newest->computedAtMs, 0) : -1;
    if (done) done = m_incidents.advance(now.nowMs, age);
    m_report = {*m_failover.report(), m_incidents.budgets(), m_incidents.judgedUntilMs()};
    if (done) done = m_store.saveReport(kFleetReport, encode(m_report), m_lease);
    return done;
}

bool ElectedWork::keepHouse()
{
    const Result<std::vector<store::Chore>> chores =
        m_store.keepHouse(m_options.config()->store.ledgerDays);
    if (!chores) {
        spdlog::warn("event=house_waits detail=\"{}\"", chores.error().text());
        return false;
    }
    bool isMoreLeft = false;
    for (const store::Chore& chore : *chores) {
        isMoreLeft = isMoreLeft || chore.action == "more";
        if (chore.action != "created" && chore.action != "dropped") continue;
        spdlog::info(
            "event=house action={} table={} rows={}", chore.action, chore.table, chore.rows);
    }
    return isMoreLeft;
}

} // namespace weir::run
