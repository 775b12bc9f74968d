// SPDX-License-Identifier: Apache-2.0
#include "tests/routing/gate_fleet.h"

#include <algorithm>

namespace weir::routing::test {

GateFleet::GateFleet(int agents, bool everUsed, std::int64_t startMs, std::uint64_t seed)
    : state(newGate(everUsed))
    , m_nowMs(startMs)
    , m_chance{seed}
{
    sentBy.resize(static_cast<std::size_t>(agents));
    for (int i = 0; i < agents; ++i) {
        m_agents.emplace_back(static_cast<std::uint32_t>(i + 1), everUsed, params, startMs);
        m_nextReportMs.push_back(startMs + 10 * m_chance.below(100));
    }
}

int GateFleet::count(GateEventKind kind) const
{
    return static_cast<int>(std::ranges::count(events, kind, &GateEvent::kind));
}

void GateFleet::setQuota(const Quota& quota)
{
    params.quota = quota;
    for (AgentGate& agent : m_agents)
        agent.setQuota(quota, m_nowMs);
}

void GateFleet::arrive()
{
    ++asked;
    const auto index = static_cast<std::size_t>(m_chance.below(std::ssize(m_agents)));
    AgentGate& agent = m_agents[index];
    agent.asked(GateClass::Fresh);
    const GateView view = agent.view(m_nowMs);
    AttemptKind kind = AttemptKind::Normal;
    if (view.hold != HoldKind::None || view.breaker != BreakerState::Closed) {
        if (!view.probeFree || !agent.takeProbe(m_nowMs)) return;
        kind = AttemptKind::Probe;
        probesMost = std::max(probesMost, ++probesInFlight);
    } else if (
        !m_chance.happens(view.admitPpm[1]) || !view.guardOpen || !agent.takeGuard(m_nowMs)) {
        return;
    }
    ++sent;
    ++sentBy[index];
    const Answer answer = provider(m_nowMs, m_chance);
    agent.dispatched(m_nowMs, answer.expected);
    tokens += answer.tokens;
    ok += isSuccess(answer.outcome) ? 1 : 0;
    rateLimited += answer.outcome == Outcome::RateLimited ? 1 : 0;
    m_attempts.push({m_nowMs + answer.afterMs, m_nowMs, index, answer, kind, ++m_number});
}

void GateFleet::exchange()
{
    for (std::size_t i = 0; i < m_agents.size(); ++i) {
        if (m_nowMs < m_nextReportMs[i]) continue;
        m_nextReportMs[i] = m_nowMs + 900 + 10 * m_chance.below(21);
        const double group = (groupRps < 0 ? demandRps : groupRps) * 1000;
        const auto share = static_cast<std::int64_t>(group) / std::ssize(m_agents);
        const GateReport report = m_agents[i].report(m_nowMs, share);
        if (!connected || (lossPpm > 0 && m_chance.happens(lossPpm / 2))) continue;
        const GateReply reply = step(state, report, m_nowMs, params);
        events.insert(events.end(), reply.events.begin(), reply.events.end());
        if (lossPpm > 0 && m_chance.happens(lossPpm / 2)) continue;
        m_agents[i].apply(reply, m_nowMs);
    }
}

void GateFleet::runFor(std::int64_t ms)
{
    for (const std::int64_t end = m_nowMs + ms; m_nowMs < end; m_nowMs += 10) {
        while (!m_attempts.empty() && m_attempts.top().endMs <= m_nowMs) {
            const Attempt attempt = m_attempts.top();
            m_attempts.pop();
            if (attempt.kind == AttemptKind::Probe) --probesInFlight;
            m_agents[attempt.agent].corrected(
                attempt.answer.tokens - attempt.answer.expected, m_nowMs);
            m_agents[attempt.agent].finished(
                attempt.dispatchMs,
                attempt.answer.outcome,
                attempt.answer.retryAfterMs,
                m_nowMs,
                attempt.kind);
        }
        // Two coins of 5 ms each: Poisson as nearly as the rules can tell.
        const auto ppm = static_cast<std::int64_t>(demandRps * 5000);
        for (int i = 0; i < 2; ++i) {
            if (m_chance.happens(ppm)) arrive();
        }
        exchange();
    }
}

} // namespace weir::routing::test
