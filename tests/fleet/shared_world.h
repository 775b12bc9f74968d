// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/redis_gates.h"
#include "tests/fleet/scratch_redis.h"
#include "tests/routing/chance.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace weir::fleet::test {

/// Agents of one fleet in this process, each with its gates, on one real Redis. Time is the test's:
/// the scripts ask a key for it instead of the server's clock.
class SharedWorld final
{
public:
    struct Route
    {
        std::string model;
        std::string provider;
        /// Of the whole fleet.
        double demandRps = 0;
        Quota quota{};
        std::function<Outcome(std::int64_t nowMs)> outcome = [](std::int64_t) {
            return Outcome::Ok;
        };
        std::int64_t takesMs = 300;
        std::int64_t asked = 0;
        std::int64_t sent = 0;
        std::vector<std::int64_t> askedOf;
        std::vector<std::int64_t> sentBy;
        std::int64_t probes = 0;
        std::int64_t probesMost = 0;
    };

    SharedWorld(const ScratchRedis& redis, std::size_t agents, std::uint64_t seed = 7);

    /// Known to all from the start, unless `isNew`.
    Route& add(std::string model, std::string provider, double demandRps, bool isNew = false);

    void setQuota(Route& route, const Quota& quota);

    void runFor(std::int64_t ms);

    /// So many questions to Redis are lost, on the way or on the way back.
    std::int64_t lossPpm = 0;
    /// So often an agent dies that has got the turn, and comes back as a new process; or is stopped
    /// for a while, at times for longer than a turn lasts, while the others go on.
    std::int64_t diePpm = 0;
    std::int64_t stallPpm = 0;
    /// Redis does not answer these agents.
    std::function<bool(std::size_t agent)> cutOff = [](std::size_t) { return false; };
    /// Who asks for how much: a weight for each.
    std::function<double(std::size_t agent)> weight = [](std::size_t) { return 1.0; };
    std::int64_t clockOffMs = 0; ///< the server's, beside the true time

    [[nodiscard]] std::optional<SharedGate> gate(const Route& route) const;
    /// And keeps it from growing.
    void setRate(const Route& route, double rps);
    void empty();

    [[nodiscard]] Instant now() const;

    [[nodiscard]] std::int64_t nowMs() const { return m_nowMs; }

    [[nodiscard]] Route& route(std::size_t index) { return m_routes[index]; }

    [[nodiscard]] RedisGates& gates(std::size_t agent) { return *m_agents[agent].gates; }

    /// What happened, in the order in which it was seen.
    RedisGates::Events events;
    std::int64_t deaths = 0;

    [[nodiscard]] std::int64_t count(routing::GateEventKind kind) const;
    [[nodiscard]] std::int64_t count(routing::GateEventKind kind, const Route& route) const;

private:
    struct Agent
    {
        std::unique_ptr<RouteStates> states;
        std::unique_ptr<RedisGates> gates;
        Instant next{};
        int life = 0;
    };

    struct Attempt
    {
        std::int64_t endMs = 0;
        Route* route = nullptr;
        Outcome outcome = Outcome::Ok;
        bool isProbe = false;
        std::unique_ptr<RouteState::Flight> flight;
        std::shared_ptr<RouteState> state; ///< outlives the agent's life
    };

    void begin(std::size_t agent);
    void arrive(Route& route);
    void exchange(std::size_t index);
    void stall(std::size_t index);
    [[nodiscard]] std::vector<RedisReply>
    ask(std::size_t agent, std::span<const RedisCommand> commands);

    Redis m_redis;
    GatePort m_scripts;
    routing::test::Chance m_chance;
    std::vector<Agent> m_agents;
    std::deque<Route> m_routes;
    std::vector<const Route*> m_new;
    std::multimap<std::int64_t, Attempt> m_attempts;
    std::int64_t m_nowMs = 1'796'032'800'000;
    bool m_dies = false;
    std::optional<std::size_t> m_stalled;
};

} // namespace weir::fleet::test
