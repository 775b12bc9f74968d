// SPDX-License-Identifier: Apache-2.0
#include "agent/run/learn_loop.h"

#include "agent/net/clock.h"
#include "common/model/summary_json.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace weir::run {
namespace {

constexpr std::chrono::seconds kSaveGatesEvery{3};
constexpr std::chrono::seconds kLookEvery{5};
constexpr std::chrono::minutes kHouseEvery{1};
/// While a large fleet, or a long absence, has left more than a call may do at once.
constexpr std::chrono::seconds kHouseAgain{2};

} // namespace

LearnLoop::LearnLoop(
    LearnLoopOptions options,
    std::unique_ptr<store::Database> store,
    fleet::Gates& gates,
    const StoreClock& clock,
    Published<Summary>& summary)
    : m_options(std::move(options))
    , m_store(std::move(store))
    , m_gates(gates)
    , m_clock(clock)
    , m_summary(summary)
    , m_report(std::make_shared<const FleetReport>())
    , m_election(*m_store, m_options.holder)
{
    restoreGates();
    fetchSummary();
}

LearnLoop::~LearnLoop()
{
    stop();
}

void LearnLoop::restoreGates()
{
    const Result<std::vector<store::GateStateRow>> rows = m_store->gateStates();
    if (!rows) spdlog::warn("event=gates_unreadable detail=\"{}\"", rows.error().text());
    std::vector<fleet::SavedGate> saved;
    if (rows) {
        for (const store::GateStateRow& row : *rows)
            saved.push_back({row.model, row.provider, row.state});
    }
    // Where nothing can be read, all routes count as known: none starts slowly for the store's
    // sake.
    m_gates.restore(saved, net::monotonicNow());
}

void LearnLoop::start()
{
    m_nextLook = m_nextSave = m_stood = net::monotonicNow();
    m_thread.start([this] { return run(); });
}

void LearnLoop::stop()
{
    if (!m_thread.stop()) return;
    saveGates();
    m_work.reset();
    m_election.resign();
}

void LearnLoop::lookAgain()
{
    m_lookAgain.store(true, std::memory_order_relaxed);
    m_thread.poke();
}

std::optional<std::chrono::milliseconds> LearnLoop::summaryAge() const
{
    const std::shared_ptr<const Summary> summary = m_summary.get();
    if (!summary) return std::nullopt;
    // Clocks that were set back since make it new.
    return std::chrono::milliseconds{
        std::max<std::int64_t>(epochMs(m_clock.now()) - summary->computedAtMs, 0)};
}

Instant LearnLoop::run()
{
    const Instant now = net::monotonicNow();
    const bool stands = now >= m_election.nextStand();
    m_election.stand(now);
    if (stands) {
        const std::string& trouble = m_election.trouble();
        if (trouble.empty()) m_stood = now;
        setAlert(
            "store_election",
            trouble.empty() ? trouble : "cannot be elected: " + trouble,
            now - m_stood);
    }
    if (!m_election.lease()) m_work.reset();
    if (!m_work) setAlert("store_summary", {});
    if (m_election.lease() && !m_work) takeOver();
    const bool asked = m_lookAgain.exchange(false, std::memory_order_relaxed);
    if (m_work) {
        work(now);
    } else if (asked || now >= m_nextLook) {
        follow();
        m_nextLook = now + kLookEvery;
    }
    if (now >= m_nextSave) {
        saveGates();
        m_nextSave = now + kSaveGatesEvery;
    }
    Instant next = std::min({m_election.nextStand(), m_nextLook, m_nextSave});
    if (m_work) next = std::min(next, m_nextSummary);
    return next;
}

void LearnLoop::takeOver()
{
    auto work = std::make_unique<ElectedWork>(
        m_options.work, *m_store, m_gates, m_clock, *m_election.lease());
    const Status<> begun = work->begin();
    complain("elected_work_waits", begun, m_lookTrouble);
    if (!begun) return;
    work->setKeepAlive([this]() -> Status<> {
        m_election.stand(net::monotonicNow());
        if (m_election.lease()) return {};
        return fail("fenced", "job_lease", "another agent has been elected");
    });
    m_work = std::move(work);
    m_nextLook = m_nextHouse = net::monotonicNow();
    // The predecessor's last summary lasts as long as if it had lived.
    m_nextSummary = m_nextLook;
    const std::chrono::milliseconds interval = m_options.work.config()->timing.summaryInterval;
    const auto age = summaryAge();
    const bool isAnother = m_election.lease()->token > 1;
    if (age && isAnother && *age < interval) m_nextSummary += interval - *age;
}

void LearnLoop::work(Instant now)
{
    if (now >= m_nextSummary) {
        summarise();
        m_nextSummary = now + m_options.work.config()->timing.summaryInterval;
    }
    if (m_work && now >= m_nextLook) {
        look();
        m_nextLook = now + kLookEvery;
    }
    if (m_work && now >= m_nextHouse) {
        const bool isMoreLeft = m_work->keepHouse();
        m_nextHouse = now + (isMoreLeft ? Duration{kHouseAgain} : Duration{kHouseEvery});
    }
}

void LearnLoop::summarise()
{
    Result<Summary> summary = m_work->summarise(m_summary.get().get());
    complain(
        "summary_waits",
        summary ? Status<>{} : Status<>{tl::unexpected(summary.error())},
        m_summaryTrouble);
    setAlert(
        "store_summary",
        m_summaryTrouble.empty() ? m_summaryTrouble : "no new summary: " + m_summaryTrouble);
    if (!summary) return;
    m_options.spread(*summary, m_election.lease() ? m_election.lease()->token : 0);
    publish(std::move(*summary));
}

void LearnLoop::look()
{
    complain("incidents_wait", m_work->look(m_summary.get().get()), m_lookTrouble);
    if (m_work) m_report.publish(std::make_shared<const FleetReport>(m_work->report()));
}

/// Takes up what the elected agent has saved.
void LearnLoop::follow()
{
    fetchSummary();
    fetchReport();
}

void LearnLoop::fetchSummary()
{
    const std::shared_ptr<const Summary> known = m_summary.get();
    const Result<std::optional<store::SummaryRow>> row =
        m_store->latestSummary(known ? known->id : std::string{});
    Status<> done;
    if (!row) {
        done = tl::unexpected(row.error());
    } else if (*row) {
        Result<Summary> summary = summaryFromJson((*row)->json);
        if (summary)
            publish(std::move(*summary));
        else
            done = tl::unexpected(summary.error());
    }
    complain("summary_unreadable", done, m_fetchTrouble);
}

void LearnLoop::fetchReport()
{
    const Result<std::optional<store::ReportRow>> row = m_store->report(kFleetReport);
    if (!row || !*row) return;
    Result<FleetReport> report = fleetReportFrom((*row)->json);
    if (report) m_report.publish(std::make_shared<const FleetReport>(std::move(*report)));
}

void LearnLoop::offer(Summary summary)
{
    publish(std::move(summary));
}

/// Summaries come by two ways, and an agent that was elected once may be late with its own: the
/// newest one stays.
void LearnLoop::publish(Summary summary)
{
    const std::scoped_lock lock(m_publishing);
    const std::shared_ptr<const Summary> known = m_summary.get();
    if (known && known->computedAtMs >= summary.computedAtMs) return;
    m_summary.publish(std::make_shared<const Summary>(std::move(summary)));
}

void LearnLoop::saveGates()
{
    const std::int64_t nowMs = epochMs(m_clock.now());
    std::vector<store::GateStateRow> rows;
    for (fleet::SavedGate& gate : m_gates.save())
        rows.push_back({std::move(gate.model), std::move(gate.provider), nowMs, gate.state});
    if (rows.empty()) return;
    complain("gates_wait", m_store->saveGateStates(rows, nowMs), m_gateTrouble);
}

void LearnLoop::setAlert(const std::string& kind, const std::string& text, Duration lasts)
{
    if (m_options.alerts != nullptr) m_options.alerts->set(kind, text, m_clock.now(), lasts);
}

/// Once a trouble, not each time. Who is told that another agent has been elected stops.
void LearnLoop::complain(const char* event, const Status<>& done, std::string& last)
{
    const std::string trouble = done ? std::string{} : done.error().text();
    if (!done && done.error().code == "fenced") {
        m_election.lost();
        m_work.reset();
    }
    if (trouble == last) return;
    if (!trouble.empty()) spdlog::warn("event={} detail=\"{}\"", event, trouble);
    last = trouble;
}

} // namespace weir::run
