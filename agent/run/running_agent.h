// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/server.h"
#include "agent/fleet/local_gates.h"
#include "agent/run/agent.h"
#include "agent/run/control_loop.h"
#include "agent/run/data_plane.h"
#include "agent/run/fleet_loop.h"
#include "agent/run/learn_loop.h"
#include "agent/run/ledger_loop.h"
#include "agent/run/mirror_writer.h"
#include "agent/run/store_clock.h"
#include "agent/store/data_dir.h"
#include "agent/store/spool.h"

#include <boost/asio/signal_set.hpp>

namespace weir::run {

/// Connections of their own for what must not wait for one another.
struct Stores
{
    std::unique_ptr<store::Database> control;
    std::unique_ptr<store::Database> ledger;
    std::unique_ptr<store::Database> learned;
};

/// Everything that makes an agent, in the order in which the parts need each other.
class RunningAgent final
{
public:
    /// `redis`: what it shares with a fleet; null = nothing.
    RunningAgent(
        AgentOptions options,
        store::DataDir dataDir,
        Stores stores,
        std::unique_ptr<fleet::Redis> redis,
        std::shared_ptr<const proxy::Runtime> runtime,
        fleet::RouteStates& states);

    [[nodiscard]] Status<> open();
    int run();

private:
    [[nodiscard]] store::SpoolOptions spoolOptions() const;
    [[nodiscard]] ControlLoopOptions controlOptions();
    [[nodiscard]] LedgerLoopOptions ledgerOptions();
    [[nodiscard]] LearnLoopOptions learnOptions();
    [[nodiscard]] std::unique_ptr<FleetLoop> fleetLoop(std::unique_ptr<fleet::Redis> redis);
    [[nodiscard]] std::string redis() const;
    [[nodiscard]] admin::Sources sources();
    [[nodiscard]] std::vector<Alert> alerts() const;
    [[nodiscard]] std::vector<fleet::SharedPin> servedPins();
    void hearPins(const std::vector<fleet::SharedPin>& pins);
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
    StoreClock m_clock;
    StandingAlerts m_alerts;
    /// Its gates are the fleet's, where there is one; else this process's own.
    std::unique_ptr<FleetLoop> m_fleet;
    fleet::LocalGates m_localGates;
    fleet::Gates& m_gates;
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
    LedgerLoop m_ledger;
    ControlLoop m_loop;
    net::asio::io_context m_io;
    net::asio::signal_set m_signals;
    net::asio::steady_timer m_timer;
    net::asio::steady_timer m_gateTimer;
    std::unique_ptr<DataPlane> m_plane;
    std::unique_ptr<admin::Server> m_admin;
    bool m_forced = false;
    bool m_ended = false;
};

/// Of the machine, for people; "unknown" where it has none.
[[nodiscard]] std::string hostName();

} // namespace weir::run
