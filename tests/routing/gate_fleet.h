// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/agent_gate.h"
#include "common/routing/route_gate.h"
#include "tests/routing/chance.h"

#include <queue>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace weir::routing::test {

struct Answer
{
    Outcome outcome = Outcome::Ok;
    std::int64_t afterMs = 300;
    std::int64_t retryAfterMs = 0;
    /// Tokens that the attempt takes: said before, and found out in the end.
    std::int64_t expected = 0;
    std::int64_t tokens = 0;
};

/// Agents, one route's gate and a provider, on a clock of 10 ms: a small closed loop.
class GateFleet final
{
public:
    using Provider = std::function<Answer(std::int64_t nowMs, Chance& chance)>;

    GateFleet(int agents, bool everUsed, std::int64_t startMs, std::uint64_t seed = 7);

    /// Requests per second of the whole fleet for this route.
    double demandRps = 20;
    /// Demand of the model group per second; below zero: the same.
    double groupRps = -1;
    Provider provider = [](std::int64_t, Chance&) { return Answer{}; };
    /// False: exchanges are lost.
    bool connected = true;
    /// So many are lost, on the way or on the way back.
    std::int64_t lossPpm = 0;
    GateParams params;
    GateState state;

    /// Attempts of each agent.
    std::vector<std::int64_t> sentBy;
    std::int64_t sent = 0;
    std::int64_t asked = 0;
    std::int64_t ok = 0;
    std::int64_t rateLimited = 0;
    std::int64_t tokens = 0;
    std::int64_t probesInFlight = 0;
    std::int64_t probesMost = 0;
    std::vector<GateEvent> events;

    void runFor(std::int64_t ms);
    void setQuota(const Quota& quota);

    [[nodiscard]] std::int64_t nowMs() const { return m_nowMs; }

    [[nodiscard]] double rate() const { return static_cast<double>(state.rate.rateMicro) / 1e6; }

    [[nodiscard]] int count(GateEventKind kind) const;

    [[nodiscard]] std::vector<AgentGate>& agents() { return m_agents; }

private:
    struct Attempt
    {
        std::int64_t endMs;
        std::int64_t dispatchMs;
        std::size_t agent;
        Answer answer;
        AttemptKind kind;
        std::int64_t number;

        bool operator>(const Attempt& other) const
        {
            return endMs != other.endMs ? endMs > other.endMs : number > other.number;
        }
    };

    void arrive();
    void exchange();

    std::int64_t m_nowMs;
    Chance m_chance;
    std::vector<AgentGate> m_agents;
    std::vector<std::int64_t> m_nextReportMs;
    std::priority_queue<Attempt, std::vector<Attempt>, std::greater<>> m_attempts;
    std::int64_t m_number = 0;
};

} // namespace weir::routing::test
