// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/run/paced_thread.h"
#include "agent/run/standing_alerts.h"
#include "agent/store/database.h"
#include "agent/store/ledger_writer.h"
#include "common/model/config.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>

namespace weir::run {

struct LedgerLoopOptions
{
    std::string agentId;
    std::filesystem::path spool;
    std::function<std::shared_ptr<const Config>()> config;
    /// Rows that the spool took since the start. Any thread.
    std::function<std::int64_t()> spooledRows;
    /// What else is to be written as often as the ledger, and with the same connection.
    std::function<void(store::Database&)> alsoMove;
    /// Troubles that end by themselves, or by what a person does.
    StandingAlerts* alerts = nullptr;
};

/// The thread that moves the ledger into the database, on a connection of its own: however slowly
/// the database commits, neither the switch nor the heartbeats wait for it. While it is away,
/// everything stays in the spool.
class LedgerLoop final
{
public:
    LedgerLoop(LedgerLoopOptions options, std::unique_ptr<store::Database> store);
    ~LedgerLoop();
    LedgerLoop(const LedgerLoop&) = delete;
    LedgerLoop& operator=(const LedgerLoop&) = delete;

    void start();

    /// Moves what the spool still holds, for at most two seconds, and ends the thread.
    void stop();

    /// Any thread: the database is not waited for any more.
    void hangUp() { m_store->hangUp(); }

    /// With what came since the last step, however long the database lets the next one wait. Any
    /// thread.
    [[nodiscard]] store::LedgerGauge gauge() const;

private:
    [[nodiscard]] Instant run();
    [[nodiscard]] Status<> move();
    void publish(std::int64_t spooledRows);
    void note(const Status<>& moved);
    void setAlerts(Instant now);

    LedgerLoopOptions m_options;
    std::unique_ptr<store::Database> m_store;
    store::LedgerWriter m_writer;
    std::string m_trouble;
    Instant m_lastMoved{};
    std::int64_t m_refusedRows = 0;
    Instant m_lastRefused{};
    std::minstd_rand m_random;

    mutable std::mutex m_mutex;
    store::LedgerGauge m_gauge;
    /// What the spool had taken when the gauge's backlog was counted.
    std::int64_t m_spooledRows = 0;
    PacedThread m_thread;
};

} // namespace weir::run
