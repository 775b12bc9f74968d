// SPDX-License-Identifier: Apache-2.0
#include "agent/run/incident_job.h"

#include "common/base/fixed_point.h"
#include "common/routing/leader.h"
#include "common/routing/pool_view.h"

#include <algorithm>
#include <utility>

namespace weir::run {
namespace {

constexpr std::int64_t kMinuteMs = routing::kMinuteMs;
/// Rows come in this late at most, where nothing is wrong.
constexpr std::int64_t kLateMs = 6000;
/// An incident that ended so lately opens again instead of a second one.
constexpr std::int64_t kReopenMs = 30 * kMinuteMs;

/// What the call cost above what it would have at the leader, by what a task costs at each; below
/// zero where it was cheaper. 0 where a cost is unknown.
std::int64_t extraCostMicroUsd(const PoolSummary& pool, const store::FactRow& row)
{
    const auto served = routing::indexOf(pool, row.provider);
    const auto leader = routing::indexOf(pool, pool.leader);
    if (!served || !leader || row.fact.costMicroUsd < 0) return 0;
    const std::int64_t paid = pool.routes[*served].costNanoUsd;
    const std::int64_t usual = pool.routes[*leader].costNanoUsd;
    if (paid <= 0 || usual <= 0) return 0;
    return mulDiv(row.fact.costMicroUsd, paid - usual, paid);
}

/// It began while the drill ran, on what the drill is for; minutes are as fine as incidents are.
bool isOf(const Incident& incident, const Drill& drill)
{
    const bool sameModel = incident.model.empty() || incident.model == drill.model;
    const bool sameProvider = incident.provider.empty() || incident.provider == drill.provider;
    if (!sameModel || !sameProvider || (incident.model.empty() && incident.provider.empty())) {
        return false;
    }
    return incident.onsetMs + kMinuteMs > epochMs(drill.startsAt) &&
           incident.onsetMs <= epochMs(drill.endedAt.value_or(drill.endsAt));
}

/// Says so where the incident says how it was noticed.
void markDrills(Incident& incident, const std::vector<Drill>& drills)
{
    for (const Drill& drill : drills) {
        if (!isOf(incident, drill)) continue;
        const std::string mark = "during drill " + drill.id;
        for (IncidentEvent& event : incident.events) {
            const bool isMarked = event.detail.find(mark) != std::string::npos;
            if (event.kind != "detected" || isMarked) continue;
            event.detail += event.detail.empty() ? mark : ", " + mark;
        }
    }
}

bool isFailure(Outcome outcome)
{
    return !isSuccess(outcome) && !isNeutral(outcome);
}

} // namespace

IncidentJob::IncidentJob(store::LearnedStore& store, store::Lease lease)
    : m_store(store)
    , m_lease(std::move(lease))
    , m_budgets(store)
{
}

Status<> IncidentJob::restore(std::int64_t fromMs)
{
    m_originMs = m_nextMs = fromMs;
    store::IncidentQuery query;
    query.sinceMs = fromMs - kReopenMs;
    query.limit = 1000;
    Result<std::vector<Incident>> known = m_store.incidents(query);
    if (!known) return tl::unexpected(known.error());
    // In the order in which they opened.
    std::reverse(known->begin(), known->end());
    m_book.adopt(*known);
    return {};
}

std::int64_t IncidentJob::minuteOf(std::int64_t ms) const
{
    return m_originMs + (ms - m_originMs) / kMinuteMs * kMinuteMs;
}

routing::RouteMinute& IncidentJob::rowOf(std::int64_t startMs, const RowKey& key)
{
    const auto& [model, taskType, provider] = key;
    return m_minutes[startMs].route(model, taskType, provider);
}

/// A request that began elsewhere because of what was wrong with the leader.
void IncidentJob::noteDiverted(const store::FactRow& row, std::int64_t startMs)
{
    const bool diverted = row.reason == Reason::Spill || row.reason == Reason::Failover ||
                          row.reason == Reason::LastResort;
    if (row.attempt != 1 || !diverted) return;
    const PoolSummary* const pool = routing::findPool(m_summary, row.model, row.taskType);
    if (pool == nullptr || pool->leader.empty() || pool->leader == row.provider) return;
    routing::RouteMinute& minute = rowOf(startMs, {row.model, row.taskType, pool->leader});
    ++minute.divertedCalls;
    minute.extraCostMicroUsd += extraCostMicroUsd(*pool, row);
}

void IncidentJob::add(const store::FactRow& row)
{
    const std::int64_t startMs = minuteOf(row.fact.endedMs);
    if (row.fact.endedMs < m_nextMs) return;
    const RowKey key{row.model, row.taskType, row.provider};
    routing::RouteMinute& minute = rowOf(startMs, key);
    routing::countCall(minute, row.fact);
    m_budgets.compare(minute, row.fact);
    noteDiverted(row, startMs);
    m_failed.erase(row.requestId);
    if (isFailure(row.fact.outcome)) m_failed[row.requestId] = {startMs, key};
}

void IncidentJob::note(const Summary& before, const Summary& after)
{
    std::map<std::pair<std::string, std::string>, std::string> old;
    for (const PoolSummary& pool : before.pools)
        old[{pool.model, pool.taskType}] = pool.leader;
    m_summary = after;
    for (const PoolSummary& pool : after.pools) {
        const auto known = old.find({pool.model, pool.taskType});
        const std::string from = known == old.end() ? std::string{} : known->second;
        if (from == pool.leader) continue;
        m_minutes[std::max(minuteOf(after.computedAtMs), m_nextMs)].changeLeader(
            {pool.model, pool.taskType, from, pool.leader, pool.leaderCause});
    }
}

void IncidentJob::look(const Gauges& gauges, const FleetNews& news, std::int64_t nowMs)
{
    const std::int64_t startMs = std::max(minuteOf(nowMs), m_nextMs);
    routing::MinuteFactsBuilder& minute = m_minutes[startMs];
    m_news.agents = news.agents;
    // Two looks on end: for that long it is no hiccup.
    const std::int64_t local = std::min(news.localAgents, m_localBefore);
    m_news.localAgents = std::max(m_news.localAgents, local);
    m_localBefore = news.localAgents;
    m_gatesEmptied = m_gatesEmptied || news.emptied > m_emptiedBefore.value_or(news.emptied);
    m_emptiedBefore = news.emptied;
    for (const auto& [key, gauge] : gauges) {
        const bool closed = gauge.view.breaker == BreakerState::Closed;
        if (!closed) {
            const std::int64_t since = m_openSinceMs.try_emplace(key, nowMs).first->second;
            routing::GateMinute& gate = minute.gate(key.first, key.second);
            gate.breakerOpenForMs = std::max<std::int64_t>(gate.breakerOpenForMs, nowMs - since);
        } else {
            m_openSinceMs.erase(key);
        }
        // What was cut before this agent was elected its predecessor has told of.
        std::int64_t& before = m_cuts.try_emplace(key, gauge.cuts).first->second;
        const std::int64_t cuts = gauge.cuts - std::exchange(before, gauge.cuts);
        if (cuts > 0) minute.gate(key.first, key.second).halvingCuts += cuts;
        if (gauge.view.hold != HoldKind::Credit && gauge.view.hold != HoldKind::Auth) continue;
        routing::AccountMinute& account = minute.account(key.second);
        (gauge.view.hold == HoldKind::Credit ? account.creditHold : account.authHold) = true;
    }
}

routing::MinuteFacts IncidentJob::take(std::int64_t startMs)
{
    routing::MinuteFacts facts = m_minutes[startMs].take(startMs);
    m_minutes.erase(m_minutes.begin(), m_minutes.upper_bound(startMs));
    std::map<fleet::RouteStates::Key, std::pair<std::int64_t, std::int64_t>> kinds;
    for (const routing::RouteMinute& row : facts.routes) {
        auto& [limited, failed] = kinds[{row.model, row.provider}];
        limited += row.rateLimited;
        failed += row.failed;
    }
    for (routing::GateMinute& gate : facts.gates) {
        // A cut is for what most of that minute's failures were.
        const auto& [limited, failed] = kinds[{gate.model, gate.provider}];
        if (failed > limited) std::swap(gate.halvingCuts, gate.easingCuts);
    }
    facts.fleet.agents = m_news.agents;
    facts.fleet.localAgents = std::exchange(m_news.localAgents, 0);
    facts.fleet.gatesEmptied = std::exchange(m_gatesEmptied, false);
    return facts;
}

Status<> IncidentJob::advance(std::int64_t nowMs, std::int64_t summaryAgeMs)
{
    if (const Status<> known = m_budgets.prepare(m_originMs, nowMs); !known) return known;
    std::vector<Incident> changed;
    for (; m_nextMs + kMinuteMs + kLateMs <= nowMs; m_nextMs += kMinuteMs) {
        // No later attempt came: the caller got this failure.
        for (auto failed = m_failed.begin(); failed != m_failed.end();) {
            const bool due = failed->second.startMs <= m_nextMs;
            if (due) ++rowOf(m_nextMs, failed->second.row).userFailures;
            failed = due ? m_failed.erase(failed) : std::next(failed);
        }
        routing::MinuteFacts facts = take(m_nextMs);
        facts.fleet.summaryAgeMs = summaryAgeMs;
        facts.raised = m_budgets.advance(facts);
        const std::vector<Incident> news = m_book.advance(facts);
        changed.insert(changed.end(), news.begin(), news.end());
    }
    if (changed.empty()) return {};
    const std::vector<Drill> known = drills ? drills() : std::vector<Drill>{};
    for (Incident& incident : changed)
        markDrills(incident, known);
    return m_store.saveIncidents(changed, m_lease);
}

} // namespace weir::run
