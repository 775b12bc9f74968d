// SPDX-License-Identifier: Apache-2.0
#include "agent/run/running_agent.h"

#include "agent/config/environment.h"
#include "agent/config/load.h"
#include "agent/net/clock.h"
#include "agent/run/alarm.h"
#include "agent/run/gate_gauge.h"
#include "agent/run/log.h"

#include <spdlog/spdlog.h>

#include <csignal>
#include <cstdlib>

namespace weir::run {
namespace {

/// readyz says 503 for so long before connections are refused, so that balancers notice first.
constexpr std::chrono::milliseconds kDrainDelay{500};
/// How long answers that were cut short get to be written.
constexpr std::chrono::seconds kStopTime{2};
/// For what is still to be told the store.
constexpr std::chrono::seconds kLastWords{3};
constexpr std::chrono::milliseconds kDrainPoll{20};
constexpr std::chrono::milliseconds kGateExchange{250};

} // namespace

/// The workers' counts go to the gates, and the gates' answers to the workers.
void RunningAgent::exchangeGates()
{
    for (const auto& [route, event] : m_localGates.exchange(net::monotonicNow()))
        logGate(route, event);
    m_gateTimer.expires_after(kGateExchange);
    m_gateTimer.async_wait([this](const net::error_code& error) {
        // The end cannot cancel a wait that is over already: its handler may stand in the queue.
        if (!error && !m_ended) exchangeGates();
    });
}

Status<> RunningAgent::open()
{
    const std::shared_ptr<const Config> config = m_runtime.get()->config;
    auto plane = DataPlane::open(config->agent, m_shared);
    if (!plane) return tl::unexpected(plane.error());
    m_plane = std::move(*plane);
    admin::ServerOptions options;
    options.listen = config->agent.adminListen;
    options.token = config->agent.adminToken;
    auto server =
        admin::Server::open(m_io, std::move(options), sources(), m_stats, m_decisions, [this] {
            return admin::Now{net::monotonicNow(), m_clock.now()};
        });
    if (!server) return tl::unexpected(server.error());
    m_admin = std::move(*server);
    return {};
}

int RunningAgent::run()
{
    m_loop.start();
    m_ledger.start();
    if (m_fleet) m_fleet->start();
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
    if (!m_fleet) exchangeGates();
    m_io.run();
    const bool finished = m_plane->finished();
    if (finished) m_plane->join();
    // A store that does not answer keeps nobody from ending: what it lacks is in the spool.
    const Alarm patience(kLastWords, [this] {
        m_learn.hangUp();
        m_ledger.hangUp();
        m_store->hangUp();
    });
    m_spool.stop();
    if (m_fleet) m_fleet->stop();
    m_learn.stop();
    m_ledger.stop();
    m_loop.stop();
    // Since the start: rows that neither the disk nor the memory had room for.
    const std::int64_t lost = m_spool.gauge().lostRows;
    const bool clean = finished && lost == 0;
    spdlog::log(
        clean ? spdlog::level::info : spdlog::level::warn,
        "event=stopped clean={} rows_lost={}",
        clean,
        lost);
    // What would not end in time is left to the system: every finished call has been recorded.
    if (!finished) std::_Exit(0);
    return 0;
}

void RunningAgent::awaitSignal()
{
    m_signals.async_wait([this](const net::error_code& error, int signal) {
        if (error || m_ended) return;
        onSignal(signal);
        awaitSignal();
    });
}

void RunningAgent::onSignal(int signal)
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

void RunningAgent::reload()
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
                        next.store.url != old->store.url || next.store.redis != old->store.redis ||
                        next.timing.settingsGrace != old->timing.settingsGrace ||
                        next.limits.spoolBytes != old->limits.spoolBytes;
    m_names.watch((*runtime)->hosts());
    m_runtime.publish(std::move(*runtime));
    spdlog::info(
        "event=reloaded models={} providers={}", next.models.size(), next.providers.size());
    if (rebind) {
        spdlog::warn(
            "event=restart_needed detail=\"listen, admin_listen, threads, admin token, store.url, "
            "store.redis, "
            "settings_grace_s and spool_bytes keep their old values until a restart\"");
    }
}

void RunningAgent::beginDrain()
{
    spdlog::info("event=draining connections={}", m_shared.clientConnections.load());
    m_timer.expires_after(kDrainDelay);
    m_timer.async_wait([this](const net::error_code& error) {
        if (error) return;
        m_plane->drain();
        awaitDrained(net::monotonicNow() + m_runtime.get()->config->timing.drain, false);
    });
}

void RunningAgent::awaitDrained(Instant until, bool forced)
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

} // namespace weir::run
