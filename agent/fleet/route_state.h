// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/gate_clock.h"
#include "agent/fleet/slots.h"
#include "common/routing/agent_gate.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace weir::fleet {

/// What this process has just seen of one route, its half of the route's gate above all. All
/// workers share it, and it outlives a reload of the configuration. A lock is held for the time of
/// a few additions.
class RouteState final
{
public:
    /// `agent`: this one's number among those that share the gate.
    RouteState(
        std::uint16_t id,
        std::uint32_t agent,
        const routing::GateParams& params,
        const GateClock& clock,
        Instant now);

    /// A pin's name for the route, the same as long as its provider's address is.
    [[nodiscard]] std::uint16_t id() const { return m_id.load(std::memory_order_relaxed); }

    void rename(std::uint16_t id) { m_id.store(id, std::memory_order_relaxed); }

    [[nodiscard]] routing::GateParams params() const;
    /// What the provider allows, and what a server of the operator's own can do.
    void setLimits(const Quota& quota, const Capacity& capacity, Instant now);

    /// Who sends an attempt must have one; without a `Capacity` there is always one more.
    [[nodiscard]] Slots& room() { return m_slots; }

    [[nodiscard]] GateView view(Instant now, const routing::Asker& asker = {}) const;
    void asked(GateClass kind, std::uint64_t caller = 0);

    /// Known since the start: it never slow-starts, and goes on with what was saved of it.
    void setEverUsed(Instant now);

    [[nodiscard]] routing::GateReport report(std::int64_t nowMs, std::int64_t groupMilliRps);
    void apply(const routing::GateReply& reply, std::int64_t nowMs);

    /// The gate goes by its own evidence, as answers stay away.
    [[nodiscard]] bool isLocal(Instant now) const;
    /// What it has decided by that, once.
    [[nodiscard]] std::vector<routing::GateEvent> takeLocalEvents();

    /// An attempt was made, ever.
    [[nodiscard]] bool used() const { return m_used.load(std::memory_order_relaxed); }

    [[nodiscard]] std::int64_t inFlight() const
    {
        return m_inFlight.load(std::memory_order_relaxed);
    }

    /// One attempt for as long as it lives. What it is told of first counts; told nothing, it ends
    /// as one that says nothing about the route.
    class Flight final
    {
    public:
        /// `expectedTokens`: what it will probably take of a quota.
        Flight(RouteState& state, Instant now, std::int64_t expectedTokens = 0);
        ~Flight();
        Flight(const Flight&) = delete;
        Flight& operator=(const Flight&) = delete;

        void firstOutput(Instant now);
        /// `retryAfter`: the provider's hint, 0 = none.
        void ended(Outcome outcome, std::chrono::milliseconds retryAfter, Instant now);
        /// Input and output that it really took.
        void took(std::int64_t tokens, Instant now);

    private:
        RouteState& m_state;
        std::int64_t m_dispatchMs;
        std::int64_t m_expectedTokens;
        routing::AttemptKind m_kind = routing::AttemptKind::Normal;
        bool m_told = false;
        bool m_ended = false;
    };

private:
    GateClock m_clock; // its own: a state may outlive the set that it came from
    std::atomic<std::uint16_t> m_id;
    std::uint32_t m_agent;
    routing::GateParams m_params;
    std::atomic<std::int64_t> m_inFlight{0};
    std::atomic<bool> m_used{false};
    Slots m_slots;
    mutable std::mutex m_mutex;
    routing::AgentGate m_gate;
};

} // namespace weir::fleet
