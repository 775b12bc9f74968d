// SPDX-License-Identifier: Apache-2.0
#include "agent/run/control_loop.h"

#include "agent/net/clock.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>

namespace weir::run {
namespace {

constexpr std::chrono::milliseconds kHeartbeat{1000};
/// Of what is dated by this agent's clock, the ledger's rows above all.
constexpr std::int64_t kSkewMaxMs = 5000;
/// Where the store cannot tell of changes, for lack of a connection.
constexpr std::chrono::milliseconds kUntold{200};

} // namespace

ControlLoop::ControlLoop(
    ControlLoopOptions options,
    store::Database& store,
    StoreClock& clock,
    Published<Control>& control,
    fleet::Drills& drills)
    : m_options(std::move(options))
    , m_store(store)
    , m_clock(clock)
    , m_control(control)
    , m_watch(m_options.config()->timing.settingsGrace)
    , m_drills(drills, store, m_options.agentId, m_options.host)
    , m_fleet(store)
{
    lookAtSummary();
    readDecisions();
}

ControlLoop::~ControlLoop()
{
    stop();
}

void ControlLoop::start()
{
    m_nextRead = m_nextReport = m_reported = net::monotonicNow();
    m_thread.start([this] { return run(); });
}

void ControlLoop::stop()
{
    m_store.wake();
    if (!m_thread.stop()) return;
    // Where it cannot be told, the agent stays on the list as one that is silent.
    static_cast<void>(m_store.forgetAgent(m_options.agentId));
}

Instant ControlLoop::run()
{
    const Instant now = net::monotonicNow();
    const Control before = m_watch.control();
    lookAtSummary();
    if (now >= m_nextRead) {
        readDecisions();
        m_nextRead = now + m_options.config()->timing.settingsPoll;
    }
    apply(m_watch.onTick(net::monotonicNow()));
    const Control& after = m_watch.control();
    // A change is acknowledged at once, not at the next second.
    const bool changed =
        before.effectiveMode != after.effectiveMode || before.appliedAt != after.appliedAt;
    m_drills.tell(net::monotonicNow(), net::utcNow());
    if (changed || now >= m_nextReport) {
        report();
        m_nextReport = now + kHeartbeat;
    }
    m_fleet.look(net::monotonicNow(), m_clock.now());
    const Instant next = std::min(m_nextRead, m_nextReport);
    const Instant done = net::monotonicNow();
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - done);
    const Result<bool> told = m_store.awaitChange(std::max(wait, std::chrono::milliseconds{0}));
    if (!told) return std::min(next, done + kUntold);
    if (*told) {
        m_nextRead = net::monotonicNow();
        m_fleet.lookAgain();
        m_options.onChange();
    }
    return net::monotonicNow();
}

void ControlLoop::lookAtSummary()
{
    const auto age = m_options.summaryAge();
    if (!age) {
        m_watch.setSummary(fleet::SummaryAge::Missing);
    } else {
        const bool fresh = *age <= m_options.config()->timing.summaryMaxAge;
        m_watch.setSummary(fresh ? fleet::SummaryAge::Fresh : fleet::SummaryAge::Old);
    }
}

void ControlLoop::readDecisions()
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
    setAlert("store", trouble.empty() ? trouble : "the store cannot be used: " + trouble);
    const Instant now = net::monotonicNow();
    if (read) m_drills.read(read->drills, now, net::utcNow());
    apply(m_watch.onRead(read, now, net::utcNow()));
}

void ControlLoop::setAlert(const std::string& kind, const std::string& text, Duration lasts)
{
    if (m_options.alerts != nullptr) m_options.alerts->set(kind, text, m_clock.now(), lasts);
}

void ControlLoop::apply(std::optional<Control> next)
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

void ControlLoop::report()
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
    beat.presence.redis = m_options.redis();
    beat.presence.ledgerBacklogRows = m_options.ledgerBacklog();
    if (const auto age = m_options.summaryAge()) {
        beat.presence.summaryAgeS = std::chrono::duration<double>(*age).count();
    }
    const Result<std::int64_t> skew = m_store.heartbeat(beat);
    // Its silence is what the others see.
    if (skew) m_reported = net::monotonicNow();
    setAlert(
        "store_heartbeat",
        skew ? std::string{}
             : "cannot report itself, so the fleet takes it for silent: " + skew.error().text(),
        net::monotonicNow() - m_reported);
    if (!skew) return;
    m_clock.setSkew(std::chrono::milliseconds{*skew});
    const bool isOff = std::abs(*skew) > kSkewMaxMs;
    setAlert(
        "clock_skew",
        isOff ? "this host's clock differs from the database's by " + std::to_string(*skew / 1000) +
                    " s: check its time service"
              : std::string{});
}

} // namespace weir::run
