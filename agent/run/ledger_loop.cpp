// SPDX-License-Identifier: Apache-2.0
#include "agent/run/ledger_loop.h"

#include "agent/net/clock.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace weir::run {
namespace {

constexpr std::chrono::seconds kFinalMove{2};
/// A batch that stood in another transaction's way is repeated whole, each agent's after another
/// pause, so that the same two do not meet again.
constexpr std::chrono::milliseconds kBusyPauseMin{20};
constexpr int kBusyPauseSpreadMs = 180;
/// How long it is told that the database refused a row.
constexpr std::chrono::minutes kRefusedTold{15};

} // namespace

LedgerLoop::LedgerLoop(LedgerLoopOptions options, std::unique_ptr<store::Database> store)
    : m_options(std::move(options))
    , m_store(std::move(store))
    , m_writer(
          *m_store,
          m_options.spool,
          m_options.agentId,
          [this] { publish(m_options.spooledRows()); })
    , m_random(std::random_device{}())
{
}

LedgerLoop::~LedgerLoop()
{
    stop();
}

void LedgerLoop::start()
{
    m_lastMoved = net::monotonicNow();
    m_thread.start([this] { return run(); });
}

void LedgerLoop::stop()
{
    if (!m_thread.stop()) return;
    const Instant until = net::monotonicNow() + kFinalMove;
    while (net::monotonicNow() < until) {
        const Result<std::size_t> moved = m_writer.step();
        if (!moved || *moved == 0) break;
    }
    m_options.alsoMove(*m_store);
}

Instant LedgerLoop::run()
{
    const Instant now = net::monotonicNow();
    const Status<> moved = move();
    note(moved);
    setAlerts(net::monotonicNow());
    m_options.alsoMove(*m_store);
    const bool isBusy = !moved && moved.error().code == "busy";
    if (!isBusy) return now + m_options.config()->timing.ledgerFlush;
    return net::monotonicNow() + kBusyPauseMin +
           std::chrono::milliseconds{m_random() % kBusyPauseSpreadMs};
}

Status<> LedgerLoop::move()
{
    Result<std::size_t> moved = 0;
    do {
        const std::int64_t spooled = m_options.spooledRows();
        moved = m_writer.step();
        // Where none is left nothing was counted but read, at the step's beginning.
        publish(m_writer.gauge().backlogRows == 0 ? spooled : m_spooledRows);
    } while (moved && *moved > 0 && m_writer.gauge().backlogRows > 0 && !m_thread.stopping());
    if (!moved) return tl::unexpected(moved.error());
    return {};
}

void LedgerLoop::publish(std::int64_t spooledRows)
{
    const std::scoped_lock lock(m_mutex);
    m_gauge = m_writer.gauge();
    m_spooledRows = spooledRows;
}

void LedgerLoop::note(const Status<>& moved)
{
    const std::string trouble = moved ? std::string{} : moved.error().text();
    // Once a trouble, not once a second.
    if (!trouble.empty() && trouble != m_trouble) {
        spdlog::warn("event=ledger_waits detail=\"{}\"", trouble);
    } else if (trouble.empty() && !m_trouble.empty()) {
        spdlog::info("event=ledger_moves");
    }
    m_trouble = trouble;
}

void LedgerLoop::setAlerts(Instant now)
{
    if (m_trouble.empty()) m_lastMoved = now;
    if (m_options.alerts == nullptr) return;
    const UtcTime at = net::utcNow();
    m_options.alerts->set(
        "store_ledger",
        m_trouble.empty() ? m_trouble : "its rows wait in the spool: " + m_trouble,
        at,
        now - m_lastMoved);
    const std::int64_t refused = m_writer.gauge().refusedRows;
    if (refused > m_refusedRows) m_lastRefused = now;
    m_refusedRows = refused;
    const bool isTold = refused > 0 && now < m_lastRefused + kRefusedTold;
    m_options.alerts->set(
        "ledger_refused",
        isTold ? std::to_string(refused) + " rows since the start that the database refused: see "
                                           "event=spool_rows_lost in the log"
               : std::string{},
        at);
}

store::LedgerGauge LedgerLoop::gauge() const
{
    const std::int64_t spooled = m_options.spooledRows();
    const std::scoped_lock lock(m_mutex);
    store::LedgerGauge gauge = m_gauge;
    gauge.backlogRows += std::max<std::int64_t>(spooled - m_spooledRows, 0);
    return gauge;
}

} // namespace weir::run
