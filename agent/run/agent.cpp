// SPDX-License-Identifier: Apache-2.0
#include "agent/run/agent.h"

#include "agent/admin/server.h"
#include "agent/config/environment.h"
#include "agent/config/load.h"
#include "agent/fleet/local_gates.h"
#include "agent/net/clock.h"
#include "agent/run/data_plane.h"
#include "agent/run/gate_gauge.h"
#include "agent/run/learn_loop.h"
#include "agent/run/log.h"
#include "agent/run/mirror_writer.h"
#include "agent/run/store_loop.h"
#include "agent/store/data_dir.h"
#include "agent/store/open.h"
#include "agent/store/spool.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <boost/asio/signal_set.hpp>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace weir::run {
namespace {

/// readyz says 503 for so long before connections are refused, so that balancers notice first.
constexpr std::chrono::milliseconds kDrainDelay{500};
/// How long answers that were cut short get to be written.
constexpr std::chrono::seconds kStopTime{2};
constexpr std::chrono::milliseconds kDrainPoll{20};
constexpr std::chrono::milliseconds kGateExchange{250};

std::string hostName()
{
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
    return name.data();
}

HashKey keyFrom(const std::string& agentId)
{
    return {sipHash({1, 2}, agentId), sipHash({3, 4}, agentId)};
}

/// Everything that makes an agent, in the order in which the parts need each other.
class Agent final
{
public:
    Agent(
        AgentOptions options,
        store::DataDir dataDir,
        std::unique_ptr<store::Database> store,
        std::unique_ptr<store::Database> learned,
        std::shared_ptr<const proxy::Runtime> runtime,
        fleet::RouteStates& states)
        : m_options(std::move(options))
        , m_dataDir(std::move(dataDir))
        , m_store(std::move(store))
        , m_states(states)
        , m_gates(states)
        , m_runtime(std::move(runtime))
        , m_control(std::make_shared<const Control>())
        , m_summary(nullptr)
        , m_learn(learnOptions(), std::move(learned), m_gates, m_summary)
        , m_stats(net::monotonicNow())
        , m_spool(
              spoolOptions(),
              [this](std::span<const CallRecord> records) {
                  m_stats.add(records, net::monotonicNow());
                  m_decisions.add(records, m_runtime.get()->config);
              })
        , m_shared{m_dataDir.agentId(), keyFrom(m_dataDir.agentId()), m_runtime, m_control, m_summary, m_drills.list(), m_names, m_spool}
        , m_mirrorWriter(m_shared.mirror, *m_store)
        , m_loop(loopOptions(), *m_store, m_control, m_drills)
        , m_signals(m_io, SIGTERM, SIGINT, SIGHUP)
        , m_timer(m_io)
        , m_gateTimer(m_io)
    {
        m_names.watch(m_runtime.get()->hosts());
    }

    [[nodiscard]] Status<> open();
    int run();

private:
    [[nodiscard]] store::SpoolOptions spoolOptions() const;
    [[nodiscard]] StoreLoopOptions loopOptions();
    [[nodiscard]] LearnLoopOptions learnOptions() const;
    [[nodiscard]] admin::Sources sources();
    void awaitSignal();
    void exchangeGates();
    void onSignal(int signal);
    void reload();
    void beginDrain();
    void awaitDrained(Instant until, bool forced);

    AgentOptions m_options;
    store::DataDir m_dataDir;
    std::unique_ptr<store::Database> m_store;
    fleet::RouteStates& m_states;
    fleet::LocalGates m_gates;
    Published<proxy::Runtime> m_runtime;
    Published<Control> m_control;
    Published<Summary> m_summary;
    fleet::Drills m_drills;
    LearnLoop m_learn;
    admin::LiveStats m_stats;
    admin::RecentDecisions m_decisions;
    net::Names m_names;
    store::SpoolRecorder m_spool;
    proxy::Shared m_shared;
    MirrorWriter m_mirrorWriter;
    StoreLoop m_loop;
    net::asio::io_context m_io;
    net::asio::signal_set m_signals;
    net::asio::steady_timer m_timer;
    net::asio::steady_timer m_gateTimer;
    std::unique_ptr<DataPlane> m_plane;
    std::unique_ptr<admin::Server> m_admin;
    bool m_forced = false;
    bool m_ended = false;
};

store::SpoolOptions Agent::spoolOptions() const
{
    store::SpoolOptions options;
    options.folder = m_dataDir.spool();
    options.bytesMax = m_runtime.get()->config->limits.spoolBytes;
    options.now = &net::monotonicNow;
    options.utcNow = &net::utcNow;
    return options;
}

StoreLoopOptions Agent::loopOptions()
{
    StoreLoopOptions options;
    options.agentId = m_dataDir.agentId();
    options.host = hostName();
    options.version = version();
    options.spool = m_dataDir.spool();
    options.alsoMove = [this] { m_mirrorWriter.step(); };
    options.config = [this] { return m_runtime.get()->config; };
    options.summaryAge = [this]() -> std::optional<std::chrono::milliseconds> {
        const std::shared_ptr<const Summary> summary = m_summary.get();
        if (!summary) return std::nullopt;
        return ageOf(*summary, net::utcNow());
    };
    return options;
}

LearnLoopOptions Agent::learnOptions() const
{
    return {
        m_dataDir.agentId(),
        [this] { return m_runtime.get()->config; },
        [this] { return m_control.get(); }};
}

/// The workers' counts go to the gates, and the gates' answers to the workers.
void Agent::exchangeGates()
{
    for (const auto& [route, event] : m_gates.exchange(net::monotonicNow()))
        logGate(route, event);
    m_gateTimer.expires_after(kGateExchange);
    m_gateTimer.async_wait([this](const net::error_code& error) {
        // The end cannot cancel a wait that is over already: its handler may stand in the queue.
        if (!error && !m_ended) exchangeGates();
    });
}

admin::Sources Agent::sources()
{
    admin::Sources sources;
    sources.agentId = m_dataDir.agentId();
    sources.host = hostName();
    sources.version = version();
    sources.config = [this] { return m_runtime.get()->config; };
    sources.control = [this] { return m_control.get(); };
    sources.agents = [this] { return m_loop.agents(); };
    sources.routes = [this] {
        const auto gates = m_gates.gauges(net::monotonicNow());
        return routeGauges(*m_runtime.get(), gates, net::utcNow());
    };
    sources.summary = [this] { return m_summary.get(); };
    sources.failover = [this] { return m_learn.failover(); };
    sources.budgets = [this] { return m_learn.budgets(); };
    sources.ledger = [this] {
        const store::LedgerGauge ledger = m_loop.ledger();
        const store::SpoolGauge spool = m_spool.gauge();
        return admin::LedgerGauge{
            ledger.backlogRows + spool.queuedRows, ledger.backlogBytes, spool.lostRows};
    };
    sources.clientConnections = [this] { return m_shared.clientConnections.load(); };
    sources.draining = [this] { return m_shared.draining.load(); };
    sources.alerts = [this] { return m_spool.alerts(); };
    sources.mirrors = [this] { return mirrorTotals(m_shared.mirror); };
    sources.drills = [this](Instant now) { return fleet::statusOf(*m_drills.list().get(), now); };
    return sources;
}

Status<> Agent::open()
{
    const std::shared_ptr<const Config> config = m_runtime.get()->config;
    auto plane = DataPlane::open(config->agent, m_shared);
    if (!plane) return tl::unexpected(plane.error());
    m_plane = std::move(*plane);
    admin::ServerOptions options;
    options.listen = config->agent.adminListen;
    options.token = config->agent.adminToken;
    auto server =
        admin::Server::open(m_io, std::move(options), sources(), m_stats, m_decisions, [] {
            return admin::Now{net::monotonicNow(), net::utcNow()};
        });
    if (!server) return tl::unexpected(server.error());
    m_admin = std::move(*server);
    return {};
}

int Agent::run()
{
    m_loop.start();
    m_learn.start();
    m_plane->start();
    m_admin->start();
    m_admin->setReady();
    const std::shared_ptr<const Config> config = m_runtime.get()->config;
    spdlog::info(
        "event=ready version={} agent={} listen={}:{} admin={}:{}",
        version(),
        m_dataDir.agentId(),
        config->agent.listen.host,
        m_plane->port(),
        config->agent.adminListen.host,
        m_admin->port());
    awaitSignal();
    exchangeGates();
    m_io.run();
    const bool finished = m_plane->finished();
    if (finished) m_plane->join();
    m_spool.stop();
    m_learn.stop();
    m_loop.stop();
    spdlog::info("event=stopped clean={}", finished);
    // What would not end in time is left to the system: every finished call is in the ledger.
    if (!finished) std::_Exit(0);
    return 0;
}

void Agent::awaitSignal()
{
    m_signals.async_wait([this](const net::error_code& error, int signal) {
        if (error || m_ended) return;
        onSignal(signal);
        awaitSignal();
    });
}

void Agent::onSignal(int signal)
{
    if (signal == SIGHUP) {
        reload();
    } else if (!m_shared.draining.exchange(true)) {
        beginDrain();
    } else if (!m_forced) {
        spdlog::info("event=stop_now");
        m_forced = true;
        m_plane->stopAll();
        awaitDrained(net::monotonicNow() + kStopTime, true);
    }
}

void Agent::reload()
{
    config::LoadResult loaded =
        config::load(m_options.configFile.string(), config::processEnvironment());
    if (!loaded) {
        for (const config::ConfigError& error : loaded.error()) {
            spdlog::error("event=reload_refused detail=\"{}\"", error.text());
        }
        return;
    }
    const std::shared_ptr<const Config> old = m_runtime.get()->config;
    auto runtime = proxy::makeRuntime(
        std::make_shared<const Config>(std::move(*loaded)), m_states, net::monotonicNow());
    if (!runtime) {
        spdlog::error("event=reload_refused detail=\"{}\"", runtime.error().text());
        return;
    }
    const Config& next = *(*runtime)->config;
    logWarnings(next);
    const bool rebind = next.agent.listen != old->agent.listen ||
                        next.agent.adminListen != old->agent.adminListen ||
                        next.agent.threads != old->agent.threads ||
                        next.agent.adminToken.reveal() != old->agent.adminToken.reveal() ||
                        next.store.url != old->store.url ||
                        next.timing.settingsGrace != old->timing.settingsGrace ||
                        next.limits.spoolBytes != old->limits.spoolBytes;
    m_names.watch((*runtime)->hosts());
    m_runtime.publish(std::move(*runtime));
    spdlog::info(
        "event=reloaded models={} providers={}", next.models.size(), next.providers.size());
    if (rebind) {
        spdlog::warn(
            "event=restart_needed detail=\"listen, admin_listen, threads, admin token, store.url, "
            "settings_grace_s and spool_bytes keep their old values until a restart\"");
    }
}

void Agent::beginDrain()
{
    spdlog::info("event=draining connections={}", m_shared.clientConnections.load());
    m_timer.expires_after(kDrainDelay);
    m_timer.async_wait([this](const net::error_code& error) {
        if (error) return;
        m_plane->drain();
        awaitDrained(net::monotonicNow() + m_runtime.get()->config->timing.drain, false);
    });
}

void Agent::awaitDrained(Instant until, bool forced)
{
    if (m_plane->finished() || (forced && net::monotonicNow() >= until)) {
        m_ended = true;
        m_signals.cancel();
        m_gateTimer.cancel();
        m_admin->stop();
        return;
    }
    if (!forced && net::monotonicNow() >= until) {
        spdlog::warn("event=drain_expired connections={}", m_shared.clientConnections.load());
        m_forced = true;
        m_plane->stopAll();
        return awaitDrained(net::monotonicNow() + kStopTime, true);
    }
    m_timer.expires_after(kDrainPoll);
    m_timer.async_wait([this, until, forced](const net::error_code& error) {
        if (!error) awaitDrained(until, forced);
    });
}

int refuse(const Error& error)
{
    static_cast<void>(std::fprintf(stderr, "weir-agent: %s\n", error.text().c_str()));
    return 1;
}

} // namespace

std::string version()
{
    return WEIR_VERSION;
}

int runAgent(const AgentOptions& options, Config config)
{
    // A peer that closes is an error of one write, not the end of the process.
    std::signal(SIGPIPE, SIG_IGN); // NOLINT(*-err33-c)
    startLog();
    logWarnings(config);
    auto shared = std::make_shared<const Config>(std::move(config));
    fleet::RouteStates states(gateParams(*shared), net::monotonicNow(), net::utcNow());
    auto runtime = proxy::makeRuntime(shared, states, net::monotonicNow());
    if (!runtime) return refuse(runtime.error());
    auto dataDir = store::DataDir::open(options.dataDir);
    if (!dataDir) return refuse(dataDir.error());
    store::OpenOptions opening;
    opening.host = hostName();
    opening.now = net::utcNow();
    auto database = store::open(shared->store.url, dataDir->path(), opening);
    if (!database) return refuse(database.error());
    // A connection of its own for what takes longer than the switch may wait.
    opening.use = store::Use::Learn;
    auto learned = store::open(shared->store.url, dataDir->path(), opening);
    if (!learned) return refuse(learned.error());
    Agent agent(
        options,
        std::move(*dataDir),
        std::move(*database),
        std::move(*learned),
        std::move(*runtime),
        states);
    if (const Status<> opened = agent.open(); !opened) return refuse(opened.error());
    return agent.run();
}

} // namespace weir::run
