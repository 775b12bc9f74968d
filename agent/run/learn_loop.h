// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/gates.h"
#include "agent/run/elected_work.h"
#include "agent/run/election.h"
#include "agent/run/paced_thread.h"
#include "agent/run/standing_alerts.h"
#include "agent/run/store_clock.h"
#include "agent/store/database.h"
#include "common/base/published.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace weir::run {

struct LearnLoopOptions
{
    /// As whom it stands for election: see `DataDir`.
    std::string holder;
    ElectedWorkOptions work;
    /// Takes a summary that this agent has made, and its lease's token, to those that cannot see
    /// the store.
    std::function<void(const Summary&, std::int64_t token)> spread = [](const Summary&,
                                                                        std::int64_t) {};
    /// Troubles that end by themselves, or by what a person does.
    StandingAlerts* alerts = nullptr;
};

/// The thread that learns, on a database connection of its own, so that neither heartbeats nor the
/// switch ever wait for it. One agent of the fleet is elected to make the summaries; the others
/// take up what it has saved. All save their gates.
class LearnLoop final
{
public:
    /// Restores gates and the newest summary, so that the first request already goes by them.
    LearnLoop(
        LearnLoopOptions options,
        std::unique_ptr<store::Database> store,
        fleet::Gates& gates,
        const StoreClock& clock,
        Published<Summary>& summary);
    ~LearnLoop();
    LearnLoop(const LearnLoop&) = delete;
    LearnLoop& operator=(const LearnLoop&) = delete;

    void start();
    /// Saves the gates a last time, gives up the lease, and ends the thread.
    void stop();

    /// The database is not waited for any more. Any thread.
    void hangUp() { m_store->hangUp(); }

    /// Somebody has changed something in the store. Any thread.
    void lookAgain();

    /// A summary that came another way; taken up if it is newer. Any thread.
    void offer(Summary summary);

    /// Age of the newest by the store's clock; nothing while there is none. Any thread.
    [[nodiscard]] std::optional<std::chrono::milliseconds> summaryAge() const;

    /// Never null. Any thread.
    [[nodiscard]] std::shared_ptr<const FleetReport> report() const { return m_report.get(); }

private:
    [[nodiscard]] Instant run();
    void restoreGates();
    void takeOver();
    void work(Instant now);
    void summarise();
    void look();
    void follow();
    void fetchSummary();
    void fetchReport();
    void publish(Summary summary);
    void saveGates();
    void
    setAlert(const std::string& kind, const std::string& text, Duration lasts = Duration::max());
    void complain(const char* event, const Status<>& done, std::string& last);

    LearnLoopOptions m_options;
    std::unique_ptr<store::Database> m_store;
    fleet::Gates& m_gates;
    const StoreClock& m_clock;
    Published<Summary>& m_summary;
    std::mutex m_publishing;
    Published<FleetReport> m_report;
    Election m_election;
    /// While this agent is the elected one.
    std::unique_ptr<ElectedWork> m_work;
    Instant m_stood{};
    Instant m_nextSummary{};
    Instant m_nextLook{};
    Instant m_nextSave{};
    Instant m_nextHouse{};
    std::atomic<bool> m_lookAgain{false};
    std::string m_summaryTrouble;
    std::string m_gateTrouble;
    std::string m_lookTrouble;
    std::string m_fetchTrouble;
    PacedThread m_thread;
};

} // namespace weir::run
