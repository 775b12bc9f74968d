// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/route_states.h"

#include "common/base/siphash.h"

namespace weir::fleet {
namespace {

/// Any fixed key does: the number has only to be the same on every agent.
constexpr HashKey kRouteKey{0x726f'7574, 0x6b65'7900};

} // namespace

std::uint64_t routeKey(const std::string& model, const std::string& provider)
{
    return sipHash(kRouteKey, model + '\n' + provider);
}

GateClock::GateClock(Instant now, UtcTime utc)
    : m_start(now)
    , m_startMs(epochMs(utc))
{
}

std::int64_t GateClock::at(Instant now) const
{
    return m_startMs + std::chrono::duration_cast<std::chrono::milliseconds>(now - m_start).count();
}

RouteStates::RouteStates(
    const routing::GateParams& params, Instant now, UtcTime utc, std::uint32_t agent)
    : m_params(params)
    , m_clock(now, utc)
    , m_agent(agent)
{
}

std::shared_ptr<RouteState> RouteStates::of(
    const std::string& model, const std::string& provider, Instant now, const std::string& address)
{
    const Key key{model, provider};
    const std::scoped_lock lock(m_mutex);
    std::shared_ptr<RouteState>& state = m_states[key];
    if (!state) {
        routing::GateParams params = m_params;
        params.routeKey = params.seed = routeKey(model, provider);
        state = std::make_shared<RouteState>(++m_lastId, m_agent, params, m_clock, now);
    }
    if (address.empty()) return state;
    std::string& known = m_addresses[key];
    if (!known.empty() && known != address) state->rename(++m_lastId);
    known = address;
    return state;
}

std::map<std::uint16_t, std::uint64_t> RouteStates::pinKeys() const
{
    const std::scoped_lock lock(m_mutex);
    std::map<std::uint16_t, std::uint64_t> keys;
    for (const auto& [key, state] : m_states) {
        const auto address = m_addresses.find(key);
        const std::string place = address == m_addresses.end() ? std::string{} : address->second;
        keys[state->id()] = sipHash(kRouteKey, key.first + '\n' + key.second + '\n' + place);
    }
    return keys;
}

std::shared_ptr<std::atomic<std::int64_t>> RouteStates::requestsOf(const std::string& model)
{
    const std::scoped_lock lock(m_mutex);
    std::shared_ptr<std::atomic<std::int64_t>>& count = m_requests[model];
    if (!count) count = std::make_shared<std::atomic<std::int64_t>>(0);
    return count;
}

std::map<RouteStates::Key, std::shared_ptr<RouteState>> RouteStates::all() const
{
    const std::scoped_lock lock(m_mutex);
    return m_states;
}

std::map<std::string, std::int64_t> RouteStates::requests() const
{
    const std::scoped_lock lock(m_mutex);
    std::map<std::string, std::int64_t> counts;
    for (const auto& [model, count] : m_requests)
        counts[model] = count->load(std::memory_order_relaxed);
    return counts;
}

} // namespace weir::fleet
