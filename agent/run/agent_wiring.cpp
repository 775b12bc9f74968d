// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"
#include "agent/run/gate_gauge.h"
#include "agent/run/running_agent.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

namespace weir::run {
namespace {

/// The secret's halves mixed: hashes and coins are of 64 bits under a key of 128.
HashKey keyFrom(const std::string& secret)
{
    return {sipHash({1, 2}, secret), sipHash({3, 4}, secret)};
}

} // namespace

std::string hostName()
{
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
    return name.data();
}

RunningAgent::RunningAgent(
    AgentOptions options,
    store::DataDir dataDir,
    Stores stores,
    std::unique_ptr<fleet::Redis> redis,
    std::shared_ptr<const proxy::Runtime> runtime,
    fleet::RouteStates& states)
    : m_options(std::move(options))
    , m_dataDir(std::move(dataDir))
    , m_store(std::move(stores.control))
    , m_states(states)
    , m_fleet(fleetLoop(std::move(redis)))
    , m_localGates(states)
    , m_gates(m_fleet ? static_cast<fleet::Gates&>(m_fleet->gates()) : m_localGates)
    , m_runtime(std::move(runtime))
    , m_control(std::make_shared<const Control>())
    , m_summary(nullptr)
    , m_learn(learnOptions(), std::move(stores.learned), m_gates, m_clock, m_summary)
    , m_stats(net::monotonicNow())
    , m_spool(
          spoolOptions(),
          [this](std::span<const CallRecord> records) {
              m_stats.add(records, net::monotonicNow());
              m_decisions.add(records, m_runtime.get()->config);
          })
    , m_shared{m_dataDir.agentId(), keyFrom(m_dataDir.secret()), m_runtime, m_control, m_summary, m_drills.list(), m_names, m_spool}
    , m_mirrorWriter(m_shared.mirror)
    , m_ledger(ledgerOptions(), std::move(stores.ledger))
    , m_loop(controlOptions(), *m_store, m_clock, m_control, m_drills)
    , m_signals(m_io, SIGTERM, SIGINT, SIGHUP)
    , m_timer(m_io)
    , m_gateTimer(m_io)
{
    m_names.watch(m_runtime.get()->hosts());
    if (m_fleet) m_shared.conversations.share();
}

store::SpoolOptions RunningAgent::spoolOptions() const
{
    store::SpoolOptions options;
    options.folder = m_dataDir.spool();
    options.bytesMax = m_runtime.get()->config->limits.spoolBytes;
    options.now = &net::monotonicNow;
    options.utcNow = &net::utcNow;
    return options;
}

ControlLoopOptions RunningAgent::controlOptions()
{
    ControlLoopOptions options;
    options.agentId = m_dataDir.agentId();
    options.host = hostName();
    options.version = version();
    options.config = [this] { return m_runtime.get()->config; };
    options.summaryAge = [this] { return m_learn.summaryAge(); };
    options.ledgerBacklog = [this] {
        return m_ledger.gauge().backlogRows + m_spool.gauge().queuedRows;
    };
    options.redis = [this] { return redis(); };
    options.alerts = &m_alerts;
    options.onChange = [this] { m_learn.lookAgain(); };
    return options;
}

LedgerLoopOptions RunningAgent::ledgerOptions()
{
    LedgerLoopOptions options;
    options.agentId = m_dataDir.agentId();
    options.spool = m_dataDir.spool();
    options.config = [this] { return m_runtime.get()->config; };
    options.spooledRows = [this] { return m_spool.gauge().writtenRows; };
    options.alsoMove = [this](store::Database& store) { m_mirrorWriter.step(store); };
    options.alerts = &m_alerts;
    return options;
}

LearnLoopOptions RunningAgent::learnOptions()
{
    LearnLoopOptions options;
    options.holder = m_dataDir.holder();
    options.work.config = [this] { return m_runtime.get()->config; };
    options.work.control = [this] { return m_control.get(); };
    options.work.agents = [this] { return *m_loop.fleet().agents(); };
    options.alerts = &m_alerts;
    if (m_fleet) {
        options.spread = [this](const Summary& summary, std::int64_t token) {
            m_fleet->publish(summary, token);
        };
    }
    return options;
}

std::unique_ptr<FleetLoop> RunningAgent::fleetLoop(std::unique_ptr<fleet::Redis> redis)
{
    if (!redis) return nullptr;
    FleetLoopOptions options;
    options.agentId = m_dataDir.agentId();
    options.alerts = &m_alerts;
    options.onSummary = [this](Summary summary) { m_learn.offer(std::move(summary)); };
    options.servedPins = [this] { return servedPins(); };
    options.onPins = [this](const std::vector<fleet::SharedPin>& pins) { hearPins(pins); };
    options.pinLife = [this] { return std::chrono::milliseconds{m_control.get()->policy.pinMs}; };
    return std::make_unique<FleetLoop>(std::move(options), std::move(redis), m_states);
}

std::string RunningAgent::redis() const
{
    return m_fleet ? m_fleet->redis() : "none";
}

admin::Sources RunningAgent::sources()
{
    admin::Sources sources;
    sources.agentId = m_dataDir.agentId();
    sources.host = hostName();
    sources.version = version();
    sources.config = [this] { return m_runtime.get()->config; };
    sources.control = [this] { return m_control.get(); };
    sources.agents = [this] { return *m_loop.fleet().agents(); };
    sources.fleetMinute = [this] { return m_loop.fleet().minute(net::monotonicNow()); };
    sources.redis = [this] { return redis(); };
    sources.gatesLocal = [this] { return m_fleet && m_fleet->gates().isLocal(); };
    sources.routes = [this] {
        const auto gates = m_gates.gauges(net::monotonicNow());
        return routeGauges(*m_runtime.get(), gates, m_clock.now());
    };
    sources.summary = [this] { return m_summary.get(); };
    sources.failover = [this] {
        const std::shared_ptr<const FleetReport> report = m_learn.report();
        return std::shared_ptr<const FailoverReport>(report, &report->failover);
    };
    sources.budgets = [this] {
        const std::shared_ptr<const FleetReport> report = m_learn.report();
        return std::shared_ptr<const std::vector<routing::BudgetStatus>>(report, &report->budgets);
    };
    sources.ledger = [this] {
        const store::LedgerGauge ledger = m_ledger.gauge();
        const store::SpoolGauge spool = m_spool.gauge();
        return admin::LedgerGauge{
            ledger.backlogRows + spool.queuedRows,
            ledger.backlogBytes,
            spool.lostRows + ledger.refusedRows};
    };
    sources.clientConnections = [this] { return m_shared.clientConnections.load(); };
    sources.draining = [this] { return m_shared.draining.load(); };
    sources.alerts = [this] { return alerts(); };
    sources.mirrors = [this] { return mirrorTotals(m_shared.mirror); };
    sources.drills = [this](Instant now) { return fleet::statusOf(*m_drills.list().get(), now); };
    return sources;
}

std::vector<fleet::SharedPin> RunningAgent::servedPins()
{
    const std::map<std::uint16_t, std::uint64_t> keys = m_states.pinKeys();
    const std::int64_t nowMs = epochMs(net::utcNow());
    std::vector<fleet::SharedPin> pins;
    for (const auto& [conversation, pin] : m_shared.conversations.takeServed()) {
        const auto key = keys.find(pin.route);
        if (key == keys.end()) continue;
        const std::int64_t ageMs = std::max<std::int64_t>(nowMs - pin.servedMs, 0);
        pins.push_back({conversation, key->second, pin.explored, ageMs});
    }
    return pins;
}

/// Those of routes that this agent does not have are nothing to it.
void RunningAgent::hearPins(const std::vector<fleet::SharedPin>& pins)
{
    if (pins.empty()) return;
    std::map<std::uint64_t, std::uint16_t> routes;
    for (const auto& [route, key] : m_states.pinKeys())
        routes.emplace(key, route);
    const std::int64_t nowMs = epochMs(net::utcNow());
    for (const fleet::SharedPin& pin : pins) {
        const auto route = routes.find(pin.route);
        if (route == routes.end()) continue;
        m_shared.conversations.heard(
            pin.conversation, {route->second, pin.explored, nowMs - pin.ageMs});
    }
}

std::vector<Alert> RunningAgent::alerts() const
{
    std::vector<Alert> alerts = m_spool.alerts();
    for (Alert& alert : m_alerts.list())
        alerts.push_back(std::move(alert));
    return alerts;
}

} // namespace weir::run
