// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/route_state.h"

#include "common/base/siphash.h"

namespace weir::fleet {
namespace {

/// In process there is one agent.
constexpr std::uint32_t kAgent = 1;
/// Any fixed key does: the number has only to be the same on every agent.
constexpr HashKey kRouteKey{0x726f'7574, 0x6b65'7900};

std::uint64_t keyOf(const RouteStates::Key& key)
{
    return sipHash(kRouteKey, key.first + '\n' + key.second);
}

} // namespace

GateClock::GateClock(Instant now, UtcTime utc)
    : m_start(now)
    , m_startMs(epochMs(utc))
{
}

std::int64_t GateClock::at(Instant now) const
{
    return m_startMs + std::chrono::duration_cast<std::chrono::milliseconds>(now - m_start).count();
}

RouteState::RouteState(
    std::uint16_t id, const routing::GateParams& params, const GateClock& clock, Instant now)
    : m_clock(clock)
    , m_id(id)
    , m_params(params)
    , m_gate(kAgent, false, m_params, clock.at(now))
{
}

routing::GateParams RouteState::params() const
{
    const std::scoped_lock lock(m_mutex);
    return m_params;
}

void RouteState::setLimits(const Quota& quota, const Capacity& capacity, Instant now)
{
    m_slots.setCapacity(capacity);
    const std::scoped_lock lock(m_mutex);
    if (quota == m_params.quota) return;
    m_params.quota = quota;
    m_gate.setQuota(quota, m_clock.at(now));
}

GateView RouteState::view(Instant now, const routing::Asker& asker) const
{
    const bool hasRoom = m_slots.hasRoom();
    const std::scoped_lock lock(m_mutex);
    GateView view = m_gate.view(m_clock.at(now), asker);
    view.guardOpen = view.guardOpen && hasRoom;
    return view;
}

void RouteState::asked(GateClass kind, std::uint64_t caller)
{
    const std::scoped_lock lock(m_mutex);
    m_gate.asked(kind, caller);
}

void RouteState::setEverUsed(Instant now)
{
    m_used.store(true, std::memory_order_relaxed);
    const std::scoped_lock lock(m_mutex);
    m_gate = routing::AgentGate(kAgent, true, m_params, m_clock.at(now));
}

routing::GateReport RouteState::report(std::int64_t nowMs, std::int64_t groupMilliRps)
{
    const std::scoped_lock lock(m_mutex);
    return m_gate.report(nowMs, groupMilliRps);
}

void RouteState::apply(const routing::GateReply& reply, std::int64_t nowMs)
{
    const std::scoped_lock lock(m_mutex);
    m_gate.apply(reply, nowMs);
}

RouteState::Flight::Flight(RouteState& state, Instant now, std::int64_t expectedTokens)
    : m_state(state)
    , m_dispatchMs(state.m_clock.at(now))
    , m_expectedTokens(expectedTokens)
{
    m_state.m_inFlight.fetch_add(1, std::memory_order_relaxed);
    m_state.m_used.store(true, std::memory_order_relaxed);
    const std::scoped_lock lock(m_state.m_mutex);
    // Whoever sends has been let through already: a probe where the route is being probed.
    const GateView view = m_state.m_gate.view(m_dispatchMs);
    const bool resting = view.breaker != BreakerState::Closed || view.hold != HoldKind::None;
    if (resting && m_state.m_gate.takeProbe(m_dispatchMs)) m_kind = routing::AttemptKind::Probe;
    static_cast<void>(m_state.m_gate.takeGuard(m_dispatchMs));
    m_state.m_gate.dispatched(m_dispatchMs, m_expectedTokens);
}

RouteState::Flight::~Flight()
{
    if (!m_told) {
        const std::scoped_lock lock(m_state.m_mutex);
        m_state.m_gate.finished(m_dispatchMs, Outcome::ClientCancelled, 0, m_dispatchMs, m_kind);
    }
    m_state.m_inFlight.fetch_sub(1, std::memory_order_relaxed);
}

void RouteState::Flight::firstOutput(Instant now)
{
    if (m_told) return;
    m_told = true;
    const std::scoped_lock lock(m_state.m_mutex);
    m_state.m_gate.finished(m_dispatchMs, Outcome::Ok, 0, m_state.m_clock.at(now), m_kind);
}

void RouteState::Flight::ended(Outcome outcome, std::chrono::milliseconds retryAfter, Instant now)
{
    if (m_ended) return;
    m_ended = true;
    const std::int64_t nowMs = m_state.m_clock.at(now);
    const std::scoped_lock lock(m_state.m_mutex);
    if (!m_told) {
        m_state.m_gate.finished(m_dispatchMs, outcome, retryAfter.count(), nowMs, m_kind);
    } else if (routing::tripsBreaker(outcome)) {
        m_state.m_gate.broke(m_dispatchMs, nowMs);
    }
    m_told = true;
}

void RouteState::Flight::took(std::int64_t tokens, Instant now)
{
    const std::int64_t more = tokens - std::exchange(m_expectedTokens, tokens);
    if (more == 0) return;
    const std::scoped_lock lock(m_state.m_mutex);
    m_state.m_gate.corrected(more, m_state.m_clock.at(now));
}

RouteStates::RouteStates(const routing::GateParams& params, Instant now, UtcTime utc)
    : m_params(params)
    , m_clock(now, utc)
{
}

std::shared_ptr<RouteState>
RouteStates::of(const std::string& model, const std::string& provider, Instant now)
{
    const Key key{model, provider};
    const std::scoped_lock lock(m_mutex);
    std::shared_ptr<RouteState>& state = m_states[key];
    if (!state) {
        const auto id = static_cast<std::uint16_t>(m_states.size());
        routing::GateParams params = m_params;
        params.routeKey = params.seed = keyOf(key);
        state = std::make_shared<RouteState>(id, params, m_clock, now);
    }
    return state;
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
