// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/route_state.h"

#include <utility>

namespace weir::fleet {

RouteState::RouteState(
    std::uint16_t id,
    std::uint32_t agent,
    const routing::GateParams& params,
    const GateClock& clock,
    Instant now)
    : m_clock(clock)
    , m_id(id)
    , m_agent(agent)
    , m_params(params)
    , m_gate(agent, false, m_params, clock.at(now))
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
    m_gate = routing::AgentGate(m_agent, true, m_params, m_clock.at(now));
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

bool RouteState::isLocal(Instant now) const
{
    const std::scoped_lock lock(m_mutex);
    return m_gate.isLocal(m_clock.at(now));
}

std::vector<routing::GateEvent> RouteState::takeLocalEvents()
{
    const std::scoped_lock lock(m_mutex);
    return m_gate.takeLocalEvents();
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

} // namespace weir::fleet
