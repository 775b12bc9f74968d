// SPDX-License-Identifier: Apache-2.0
#include "agent/run/fleet_watch.h"

#include <algorithm>
#include <utility>

namespace weir::run {
namespace {

/// Of the history; rows are in it this late at most, where nothing is wrong.
constexpr std::int64_t kStepMs = 10'000;
constexpr std::int64_t kLateMs = 3'000;
constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::chrono::seconds kReadEvery{2};
constexpr std::chrono::seconds kAskedLately{10};
/// So many agents may look at each other every second.
constexpr std::size_t kCrowd = 50;

admin::WindowSum sumOf(store::RouteActivity& activity)
{
    admin::WindowSum sum;
    sum.outcomes = activity.sums.outcomes;
    sum.attempts = activity.sums.calls;
    if (activity.sums.calls > activity.sums.costUnknown) {
        sum.costMicroUsd = activity.sums.costMicroUsd;
    }
    sum.ttftUs = std::move(activity.ttftUs);
    sum.milliTokensPerS = std::move(activity.milliTps);
    return sum;
}

} // namespace

FleetWatch::FleetWatch(store::Store& store)
    : m_store(store)
    , m_agents(std::make_shared<const std::vector<AgentPresence>>())
    , m_minute(nullptr)
{
}

void FleetWatch::look(Instant now, UtcTime utc)
{
    if (now >= m_nextAgents) {
        Result<std::vector<AgentPresence>> agents = m_store.agents();
        const std::size_t count = agents ? agents->size() : m_agents.get()->size();
        if (agents) {
            m_agents.publish(
                std::make_shared<const std::vector<AgentPresence>>(std::move(*agents)));
        }
        m_nextAgents = now + std::chrono::seconds{1 + count / kCrowd};
    }
    const bool wanted = now - m_asked.load(std::memory_order_relaxed) < kAskedLately;
    const auto isAlive = [](const AgentPresence& agent) { return agent.lastSeenS < kAliveS; };
    if (std::ranges::count_if(*m_agents.get(), isAlive) < 2) {
        m_minute.publish(nullptr);
    } else if (wanted && now >= m_nextMinute) {
        readMinute(utc);
        m_nextMinute = now + kReadEvery;
    }
}

void FleetWatch::readMinute(UtcTime utc)
{
    const std::int64_t toMs = (epochMs(utc) - kLateMs) / kStepMs * kStepMs;
    Result<std::vector<store::RouteActivity>> routes =
        m_store.activity(fromEpochMs(toMs - kMinuteMs), fromEpochMs(toMs));
    if (!routes) return;
    auto minute = std::make_shared<admin::LiveStats::Minute>();
    for (store::RouteActivity& route : *routes) {
        minute->attempts[route.model] += route.sums.calls;
        minute->routes.emplace(std::pair{route.model, route.provider}, sumOf(route));
    }
    m_minute.publish(std::move(minute));
}

std::optional<admin::LiveStats::Minute> FleetWatch::minute(Instant now)
{
    m_asked.store(now, std::memory_order_relaxed);
    const std::shared_ptr<const admin::LiveStats::Minute> minute = m_minute.get();
    if (!minute) return std::nullopt;
    return *minute;
}

} // namespace weir::run
