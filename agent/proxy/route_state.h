// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/hold.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace weir::proxy {

/// What this process has just seen of one route. All workers share it, and it outlives a reload of
/// the configuration.
class RouteState final
{
public:
    [[nodiscard]] routing::Hold hold() const;

    /// Applies one attempt's end at once: the next request already knows (fleet case B022).
    void
    afterAttempt(Outcome outcome, std::optional<std::chrono::milliseconds> retryAfter, Instant now);

    [[nodiscard]] std::int64_t inFlight() const
    {
        return m_inFlight.load(std::memory_order_relaxed);
    }

    /// Counts an attempt for as long as it lives.
    class Flight final
    {
    public:
        explicit Flight(RouteState& state)
            : m_state(state)
        {
            m_state.m_inFlight.fetch_add(1, std::memory_order_relaxed);
        }

        ~Flight() { m_state.m_inFlight.fetch_sub(1, std::memory_order_relaxed); }

        Flight(const Flight&) = delete;
        Flight& operator=(const Flight&) = delete;

    private:
        RouteState& m_state;
    };

private:
    std::atomic<std::int64_t> m_inFlight{0};
    /// Read without the lock by every request; nearly always "no hold".
    std::atomic<bool> m_hasHold{false};
    mutable std::mutex m_mutex;
    routing::Hold m_hold;
};

/// All states by (model, provider).
class RouteStates final
{
public:
    [[nodiscard]] std::shared_ptr<RouteState>
    of(const std::string& model, const std::string& provider);

private:
    std::mutex m_mutex;
    std::map<std::pair<std::string, std::string>, std::shared_ptr<RouteState>> m_states;
};

} // namespace weir::proxy
