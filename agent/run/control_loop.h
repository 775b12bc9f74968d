// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/control_watch.h"
#include "agent/run/drill_keeper.h"
#include "agent/run/fleet_watch.h"
#include "agent/run/paced_thread.h"
#include "agent/run/standing_alerts.h"
#include "agent/run/store_clock.h"
#include "agent/store/database.h"
#include "common/base/published.h"
#include "common/model/config.h"
#include "common/model/control.h"
#include "common/model/status.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace weir::run {

struct ControlLoopOptions
{
    std::string agentId;
    std::string host;
    std::string version;
    std::function<std::shared_ptr<const Config>()> config;
    /// Of the newest summary; nothing while there is none.
    std::function<std::optional<std::chrono::milliseconds>()> summaryAge;
    /// Rows that are not in the ledger yet.
    std::function<std::int64_t()> ledgerBacklog;
    /// "ok", "down", or "none".
    std::function<std::string()> redis = [] { return "none"; };
    /// Troubles that end by themselves, or by what a person does.
    StandingAlerts* alerts = nullptr;
    /// Somebody changed something in the store: a summary, perhaps.
    std::function<void()> onChange = [] {};
};

/// The thread that reads switch and settings and reports this agent, on a connection of its own: it
/// waits for nothing but short reads and one small row a second.
class ControlLoop final
{
public:
    /// Reads the decisions once, so that the first request already goes by them.
    ControlLoop(
        ControlLoopOptions options,
        store::Database& store,
        StoreClock& clock,
        Published<Control>& control,
        fleet::Drills& drills);
    ~ControlLoop();
    ControlLoop(const ControlLoop&) = delete;
    ControlLoop& operator=(const ControlLoop&) = delete;

    void start();

    /// Takes this agent off the list of agents, which is on purpose, and ends the thread.
    void stop();

    [[nodiscard]] FleetWatch& fleet() { return m_fleet; }

private:
    [[nodiscard]] Instant run();
    void readDecisions();
    void report();
    void apply(std::optional<Control> next);
    void lookAtSummary();
    void
    setAlert(const std::string& kind, const std::string& text, Duration lasts = Duration::max());

    ControlLoopOptions m_options;
    store::Database& m_store;
    StoreClock& m_clock;
    Published<Control>& m_control;
    fleet::ControlWatch m_watch;
    DrillKeeper m_drills;
    FleetWatch m_fleet;
    std::string m_lastTrouble;
    Instant m_nextRead{};
    Instant m_nextReport{};
    Instant m_reported{};
    PacedThread m_thread;
};

} // namespace weir::run
