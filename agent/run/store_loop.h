// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/control_watch.h"
#include "agent/run/drill_keeper.h"
#include "agent/store/database.h"
#include "agent/store/ledger_writer.h"
#include "common/base/published.h"
#include "common/model/config.h"
#include "common/model/control.h"
#include "common/model/status.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace weir::run {

struct StoreLoopOptions
{
    std::string agentId;
    std::string host;
    std::string version;
    std::filesystem::path spool;
    std::function<std::shared_ptr<const Config>()> config;
    /// Of the newest summary; nothing while there is none.
    std::function<std::optional<std::chrono::milliseconds>()> summaryAge;
    /// What else is to be written as often as the ledger.
    std::function<void()> alsoMove;
};

/// The one thread that talks to the database: moves the ledger in, reads switch and settings, and
/// reports this agent. Whatever the database does, nobody else waits for it.
class StoreLoop final
{
public:
    /// Reads the decisions once, so that the first request already goes by them.
    StoreLoop(
        StoreLoopOptions options,
        store::Database& store,
        Published<Control>& control,
        fleet::Drills& drills);
    ~StoreLoop();
    StoreLoop(const StoreLoop&) = delete;
    StoreLoop& operator=(const StoreLoop&) = delete;

    void start();

    /// Moves what the spool still holds, for at most two seconds, and ends the thread.
    void stop();

    /// All agents of this store that were heard of lately.
    [[nodiscard]] std::vector<AgentPresence> agents() const;
    [[nodiscard]] store::LedgerGauge ledger() const;

private:
    void run();
    void readDecisions();
    void moveLedger();
    void report();
    void apply(std::optional<Control> next);
    void lookAtSummary();

    StoreLoopOptions m_options;
    store::Database& m_store;
    Published<Control>& m_control;
    fleet::ControlWatch m_watch;
    DrillKeeper m_drills;
    store::LedgerWriter m_writer;
    std::string m_lastTrouble;

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::vector<AgentPresence> m_agents;
    store::LedgerGauge m_gauge;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace weir::run
