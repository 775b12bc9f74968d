// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/live_stats.h"

#include <algorithm>

namespace weir::admin {
namespace {

bool needsAPerson(Outcome outcome)
{
    return outcome == Outcome::ModelUnavailable || outcome == Outcome::Auth ||
           outcome == Outcome::NoCredit;
}

/// All classes of the prompt; nothing where the provider told none.
std::optional<std::int64_t> inputTokens(const TokenUsage& usage)
{
    if (!usage.inputUncached) return std::nullopt;
    return *usage.inputUncached + usage.inputCached.value_or(0) + usage.cacheWrite.value_or(0);
}

/// A copy for comparison, or of an eval run: no client's request.
bool isAside(const CallRecord& record)
{
    return record.has(CallFlag::Mirror) || record.has(CallFlag::Eval);
}

void addTo(RouteTotals& totals, const CallRecord& record)
{
    const auto outcome = static_cast<std::size_t>(record.outcome);
    ++totals.attempts[outcome];
    // A request ends with an attempt that cannot or may not be followed by another.
    const bool ends = record.last || !mayFailOver(record.outcome);
    if (ends && !isAside(record)) ++totals.requests[outcome];
    // A counter cannot fall, so a negative figure from a broken price is left out.
    totals.costMicroUsd += std::max<std::int64_t>(record.costMicroUsd.value_or(0), 0);
    if (record.ttftMs) totals.ttft.add(*record.ttftMs, kTtftBoundsMs);
    if (const auto tokens = inputTokens(record.usage)) {
        totals.inputTokens.add(*tokens, kTokenBounds);
    }
    if (record.usage.output) totals.outputTokens.add(*record.usage.output, kTokenBounds);
    const Outcome end = isSuccess(record.outcome) ? Outcome::Ok : record.outcome;
    totals.durations[end].add(record.durationMs, kDurationBoundsMs);
}

} // namespace

LiveStats::LiveStats(Instant started)
    : m_started(started)
    , m_tasks(started)
{
}

LiveStats::Route& LiveStats::route(const CallRecord& record)
{
    return m_routes[RouteKey(record.model, record.provider)];
}

void LiveStats::add(std::span<const CallRecord> records, Instant now)
{
    const std::scoped_lock lock(m_mutex);
    for (const CallRecord& record : records) {
        m_tasks.add(record, now);
        // Without an attempt there is no route to count it for.
        if (record.unserved != Unserved::None) continue;
        Route& route = this->route(record);
        // The minute that people watch is their callers'.
        if (!isAside(record)) route.window.add(record, now);
        addTo(route.totals, record);
        if (isSuccess(record.outcome)) {
            route.troubles.clear();
        } else if (needsAPerson(record.outcome)) {
            const UtcTime ended = record.startedAt + std::chrono::milliseconds(record.durationMs);
            route.troubles.try_emplace(record.outcome, ended);
        }
    }
}

LiveStats::Minute LiveStats::minute(Instant now) const
{
    using Seconds = std::chrono::duration<double>;
    const std::scoped_lock lock(m_mutex);
    Minute minute;
    minute.seconds = std::clamp(Seconds(now - m_started).count(), 1.0, 60.0);
    for (const auto& [key, route] : m_routes) {
        WindowSum sum = route.window.sum(now);
        minute.attempts[key.first] += sum.attempts;
        minute.requests += sum.requests;
        minute.routes.emplace(key, std::move(sum));
    }
    return minute;
}

std::map<RouteKey, RouteTotals> LiveStats::totals() const
{
    const std::scoped_lock lock(m_mutex);
    std::map<RouteKey, RouteTotals> totals;
    for (const auto& [key, route] : m_routes)
        totals.emplace(key, route.totals);
    return totals;
}

RequestTotals LiveStats::requests(Instant now) const
{
    const std::scoped_lock lock(m_mutex);
    return m_tasks.totals(now);
}

LevelWindows LiveStats::levels(Instant now) const
{
    const std::scoped_lock lock(m_mutex);
    return m_tasks.windows(now);
}

std::map<RouteKey, std::vector<RouteTrouble>> LiveStats::troubles() const
{
    const std::scoped_lock lock(m_mutex);
    std::map<RouteKey, std::vector<RouteTrouble>> result;
    for (const auto& [key, route] : m_routes) {
        for (const auto& [kind, since] : route.troubles) {
            result[key].push_back(RouteTrouble{kind, since});
        }
    }
    return result;
}

} // namespace weir::admin
