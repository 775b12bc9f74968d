// SPDX-License-Identifier: Apache-2.0
#include "common/sim/recorder.h"

#include <algorithm>
#include <cmath>

namespace weir::sim {

Recorder::Recorder(const Scenario& scenario, std::vector<PoolName> pools)
    : m_scenario(scenario)
    , m_pools(std::move(pools))
    , m_minutes(scenario.duration / kMinute)
    , m_ladder(scenario.startEpochMs, scenario.startEpochMs + scenario.duration / 1000)
{
    m_offsets.push_back(0);
    for (const PoolName& pool : m_pools) {
        m_offsets.push_back(m_offsets.back() + scenario.models[pool.model].routes.size());
    }
    m_cells.resize(static_cast<std::size_t>(m_minutes) * m_offsets.back());
    for (const ScenarioModel& model : scenario.models) {
        for (const ScenarioRoute& route : model.routes) {
            const auto known =
                std::ranges::find(m_totals.byProvider, route.provider, &ProviderTotals::provider);
            if (known == m_totals.byProvider.end()) {
                m_totals.byProvider.emplace_back();
                m_totals.byProvider.back().provider = route.provider;
            }
        }
    }
}

void Recorder::callFailed(bool singleShot)
{
    ++m_totals.userFailures;
    if (singleShot) ++m_totals.singleShotFailures;
}

void Recorder::decided(bool replaysAlike)
{
    ++m_totals.decisions;
    if (!replaysAlike) ++m_totals.replayMismatches;
}

Recorder::Cell* Recorder::cellAt(std::uint32_t pool, std::uint32_t route, Micros at)
{
    const std::int64_t minute = at / kMinute;
    if (at < 0 || minute >= m_minutes) return nullptr;
    return &m_cells[static_cast<std::size_t>(minute) * m_offsets.back() + m_offsets[pool] + route];
}

ProviderTotals& Recorder::totalsOf(std::uint32_t pool, std::uint32_t route)
{
    const std::string& provider = m_scenario.models[m_pools[pool].model].routes[route].provider;
    return *std::ranges::find(m_totals.byProvider, provider, &ProviderTotals::provider);
}

void Recorder::attemptStarted(std::uint32_t pool, std::uint32_t route, Micros at, bool explored)
{
    ++totalsOf(pool, route).calls;
    if (Cell* cell = cellAt(pool, route, at)) {
        ++cell->row.calls;
        if (explored) ++cell->row.explored;
    }
}

void Recorder::attemptEnded(const AttemptSeen& attempt)
{
    ProviderTotals& provider = totalsOf(attempt.pool, attempt.route);
    Cell* cell = cellAt(attempt.pool, attempt.route, attempt.startedAt);
    provider.costMicroUsd += attempt.costMicroUsd;
    m_totals.costMicroUsd += attempt.costMicroUsd;
    if (attempt.firstOutput >= 0 && cell != nullptr) {
        m_ttfts.emplace_back(
            static_cast<std::uint32_t>(cell - m_cells.data()),
            static_cast<std::uint32_t>(attempt.firstOutput));
    }
    if (isSuccess(attempt.outcome) || isNeutral(attempt.outcome)) return;
    if (attempt.outcome == Outcome::RateLimited) {
        ++m_totals.wasted429;
        ++provider.rateLimited;
        if (cell != nullptr) ++cell->row.rateLimited;
    } else {
        ++provider.failures;
        if (cell != nullptr) ++cell->row.failures;
    }
}

void Recorder::minuteEnded(
    std::int64_t minute, std::uint32_t pool, std::uint32_t route, const RouteMoment& moment)
{
    Cell* cell = cellAt(pool, route, minute * kMinute);
    if (cell == nullptr) return;
    cell->known = moment.known;
    cell->row.permittedMilliRps = moment.permittedMilliRps;
    cell->row.capMilliRps = moment.capMilliRps;
    cell->row.breaker = moment.breaker;
    cell->row.hold = moment.hold;
    cell->row.rank = moment.rank;
    cell->row.score = moment.score;
}

void Recorder::addMedians()
{
    std::ranges::sort(m_ttfts);
    for (std::size_t from = 0; from < m_ttfts.size();) {
        std::size_t to = from;
        while (to < m_ttfts.size() && m_ttfts[to].first == m_ttfts[from].first)
            ++to;
        m_cells[m_ttfts[from].first].row.ttftP50 = m_ttfts[from + (to - from - 1) / 2].second;
        from = to;
    }
}

SimResult
Recorder::finish(const std::vector<Incident>& incidents, std::vector<std::vector<GateCounts>> gates)
{
    addMedians();
    SimResult result;
    for (std::int64_t minute = 0; minute < m_minutes; ++minute) {
        for (std::uint32_t pool = 0; pool < m_pools.size(); ++pool) {
            const std::size_t first =
                static_cast<std::size_t>(minute) * m_offsets.back() + m_offsets[pool];
            const std::size_t count = m_offsets[pool + 1] - m_offsets[pool];
            std::uint64_t all = 0;
            for (std::size_t route = 0; route < count; ++route)
                all += m_cells[first + route].row.calls;
            for (std::size_t route = 0; route < count; ++route) {
                const Cell& cell = m_cells[first + route];
                if (!cell.known && cell.row.calls == 0) continue;
                MinuteRow row = cell.row;
                row.minute = minute;
                row.pool = pool;
                row.route = static_cast<std::uint32_t>(route);
                if (all > 0) row.share = static_cast<double>(row.calls) / static_cast<double>(all);
                result.minutes.push_back(row);
            }
        }
    }
    std::uint64_t attempts = 0;
    for (const ProviderTotals& provider : m_totals.byProvider)
        attempts += provider.calls;
    for (ProviderTotals& provider : m_totals.byProvider) {
        if (attempts > 0)
            provider.share = static_cast<double>(provider.calls) / static_cast<double>(attempts);
    }
    m_totals.taskTimeP50 = quantileOf(m_taskTimes, 0.5);
    m_totals.taskTimeP95 = quantileOf(m_taskTimes, 0.95);
    result.pools = m_pools;
    result.totals = std::move(m_totals);
    result.incidents = incidents;
    result.leaderChanges = std::move(m_leaderChanges);
    result.gates = std::move(gates);
    if (m_scenario.isGraded()) result.degradation = {m_ladder.report(), m_ladder.minutes()};
    return result;
}

Micros quantileOf(std::vector<Micros>& values, double q)
{
    if (values.empty()) return 0;
    const double rank = std::ceil(q * static_cast<double>(values.size()));
    const auto index = static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
    std::nth_element(values.begin(), values.begin() + index, values.end());
    return values[static_cast<std::size_t>(index)];
}

} // namespace weir::sim
