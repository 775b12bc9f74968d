// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"
#include "agent/proxy/exchange.h"

#include <algorithm>

// The part of an exchange that goes by what a server of the operator's own can do at once.

namespace weir::proxy {

fleet::Slots& Exchange::slotsOf(std::size_t index) const
{
    return m_model->routes[m_choice.decision.candidates[index].route].state->room();
}

/// For a slot: as long as the first output may take, less what the route needs for it.
Duration Exchange::longestWait(std::size_t index) const
{
    const Instant now = net::monotonicNow();
    const std::uint8_t route = m_choice.decision.candidates[index].route;
    const Duration useful = m_choice.patience[route].usefulMin;
    return std::max(limitsFor(index, now).firstOutput - now - useful, Duration::zero());
}

/// Time in a queue is none of the provider's.
Instant Exchange::startOf(std::size_t index) const
{
    const bool isFirst = index == 0 && m_results.empty() && !slotsOf(index).isLimited();
    return isFirst ? m_started : net::monotonicNow();
}

/// The route is full, and so is its queue.
void Exchange::passOver(std::size_t index)
{
    auto& candidates = m_choice.decision.candidates;
    if (index + 1 == candidates.size() || !m_results.empty()) return;
    Reason& next = candidates[index + 1].reason;
    if (next == Reason::Failover) next = Reason::Spill;
}

void Exchange::tellUnsure(bool last)
{
    if (!m_unsure) return;
    m_unsure->last = last;
    m_service.shared().recorder.record(std::move(*m_unsure));
    m_unsure.reset();
}

} // namespace weir::proxy
