// SPDX-License-Identifier: Apache-2.0
#include "agent/run/store_loop.h"

#include "agent/net/clock.h"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace weir::run {
namespace {

constexpr std::chrono::milliseconds kHeartbeat{1000};
constexpr std::chrono::seconds kFinalMove{2};

} // namespace

StoreLoop::StoreLoop(
    StoreLoopOptions options,
    store::Database& store,
    Published<Control>& control,
    fleet::Drills& drills)
    : m_options(std::move(options))
    , m_store(store)
    , m_control(control)
    , m_watch(m_options.config()->timing.settingsGrace)
    , m_drills(drills, store, m_options.agentId, m_options.host)
    , m_writer(store, m_options.spool, m_options.agentId)
{
    lookAtSummary();
    readDecisions();
}

StoreLoop::~StoreLoop()
{
    stop();
}

void StoreLoop::start()
{
    m_thread = std::thread([this] { run(); });
}

void StoreLoop::stop()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    if (!m_thread.joinable()) return;
    m_thread.join();
    const Instant until = net::monotonicNow() + kFinalMove;
    while (net::monotonicNow() < until) {
        const Result<std::size_t> moved = m_writer.step();
        if (!moved || *moved == 0) break;
    }
    m_options.alsoMove();
}

void StoreLoop::run()
{
    Instant nextRead = net::monotonicNow();
    Instant nextMove = nextRead;
    Instant nextReport = nextRead;
    std::unique_lock lock(m_mutex);
    while (!m_stopping) {
        lock.unlock();
        const TimingConfig timing = m_options.config()->timing;
        const Instant now = net::monotonicNow();
        const Control before = m_watch.control();
        lookAtSummary();
        if (now >= nextRead) {
            readDecisions();
            nextRead = now + timing.settingsPoll;
        }
        apply(m_watch.onTick(net::monotonicNow()));
        const Control& after = m_watch.control();
        // A change is acknowledged at once, not at the next second.
        const bool changed =
            before.effectiveMode != after.effectiveMode || before.appliedAt != after.appliedAt;
        m_drills.tell(net::monotonicNow(), net::utcNow());
        if (now >= nextMove) {
            moveLedger();
            m_options.alsoMove();
            nextMove = now + timing.ledgerFlush;
        }
        if (changed || now >= nextReport) {
            report();
            nextReport = now + kHeartbeat;
        }
        lock.lock();
        const Instant next = std::min({nextRead, nextMove, nextReport});
        m_wake.wait_for(lock, next - net::monotonicNow(), [this] { return m_stopping; });
    }
}

void StoreLoop::lookAtSummary()
{
    const auto age = m_options.summaryAge();
    if (!age) {
        m_watch.setSummary(fleet::SummaryAge::Missing);
    } else {
        const bool fresh = *age <= m_options.config()->timing.summaryMaxAge;
        m_watch.setSummary(fresh ? fleet::SummaryAge::Fresh : fleet::SummaryAge::Old);
    }
}

void StoreLoop::readDecisions()
{
    const Result<Decisions> read = m_store.readDecisions();
    const std::string trouble = read ? std::string{} : read.error().text();
    if (trouble != m_lastTrouble) {
        if (read) {
            spdlog::info("event=settings_readable");
        } else {
            spdlog::warn("event=settings_unreadable detail=\"{}\"", trouble);
        }
        m_lastTrouble = trouble;
    }
    const Instant now = net::monotonicNow();
    if (read) m_drills.read(read->drills, now, net::utcNow());
    apply(m_watch.onRead(read, now, net::utcNow()));
}

void StoreLoop::apply(std::optional<Control> next)
{
    if (!next) return;
    spdlog::info(
        "event=mode effective={} reason={} switch_version={} settings_version={}",
        toWord(next->effectiveMode),
        next->modeReason,
        next->decisions ? next->decisions->routingSwitch.version : 0,
        next->decisions ? next->decisions->settings.version : 0);
    m_control.publish(std::make_shared<const Control>(std::move(*next)));
}

void StoreLoop::moveLedger()
{
    Result<std::size_t> moved = 0;
    do {
        moved = m_writer.step();
        // More than a batch waits: go on, but let a stop or a poll that is due come through.
    } while (moved && *moved >= store::kLedgerBatchRows && m_writer.gauge().backlogRows > 0);
    if (!moved) spdlog::warn("event=ledger_waits detail=\"{}\"", moved.error().text());
    const std::scoped_lock lock(m_mutex);
    m_gauge = m_writer.gauge();
}

void StoreLoop::report()
{
    const Control& control = m_watch.control();
    store::Heartbeat beat;
    beat.presence.agentId = m_options.agentId;
    beat.presence.service = m_options.config()->agent.service;
    beat.presence.host = m_options.host;
    beat.presence.version = m_options.version;
    beat.presence.effectiveMode = toWord(control.effectiveMode);
    beat.presence.modeReason = control.modeReason;
    if (control.decisions) {
        beat.presence.switchVersion = control.decisions->routingSwitch.version;
        beat.presence.settingsVersion = control.decisions->settings.version;
    }
    beat.at = net::utcNow();
    beat.presence.appliedAt = control.appliedAt;
    beat.presence.ledgerBacklogRows = m_writer.gauge().backlogRows;
    if (const auto age = m_options.summaryAge()) {
        beat.presence.summaryAgeS = std::chrono::duration<double>(*age).count();
    }
    static_cast<void>(m_store.heartbeat(beat)); // Its silence is what the others see.
    Result<std::vector<AgentPresence>> agents = m_store.agents();
    if (!agents) return;
    const std::scoped_lock lock(m_mutex);
    m_agents = std::move(*agents);
}

std::vector<AgentPresence> StoreLoop::agents() const
{
    const std::scoped_lock lock(m_mutex);
    return m_agents;
}

store::LedgerGauge StoreLoop::ledger() const
{
    const std::scoped_lock lock(m_mutex);
    return m_gauge;
}

} // namespace weir::run
