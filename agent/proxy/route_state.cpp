// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/route_state.h"

namespace weir::proxy {

routing::Hold RouteState::hold() const
{
    if (!m_hasHold.load(std::memory_order_acquire)) return {};
    const std::scoped_lock lock(m_mutex);
    return m_hold;
}

void RouteState::afterAttempt(
    Outcome outcome, std::optional<std::chrono::milliseconds> retryAfter, Instant now)
{
    // The common case, a success of a route that nothing holds, takes no lock.
    if (isSuccess(outcome) && !m_hasHold.load(std::memory_order_acquire)) return;
    const std::scoped_lock lock(m_mutex);
    m_hold = routing::afterAttempt(m_hold, outcome, retryAfter, now);
    m_hasHold.store(m_hold.holdsAt(now), std::memory_order_release);
}

std::shared_ptr<RouteState> RouteStates::of(const std::string& model, const std::string& provider)
{
    const std::scoped_lock lock(m_mutex);
    std::shared_ptr<RouteState>& state = m_states[{model, provider}];
    if (!state) state = std::make_shared<RouteState>();
    return state;
}

} // namespace weir::proxy
