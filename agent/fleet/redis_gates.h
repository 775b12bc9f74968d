// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/gate_book.h"
#include "agent/fleet/gate_turn.h"
#include "agent/fleet/redis_reply.h"

#include <atomic>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir::fleet {

/// How gates speak to Redis.
struct GatePort
{
    std::function<std::vector<RedisReply>(std::span<const RedisCommand>)> ask;
    const RedisScript* enter = nullptr;
    const RedisScript* leave = nullptr;
};

/// This agent's number in its reports.
[[nodiscard]] std::uint32_t agentNumber(const std::string& agentId);

/// The gates of a fleet, whose memory is in Redis. Each agent puts what it has counted into the
/// provider's inbox; who finds nobody at work steps the gates for all whose messages are there, by
/// the same `routing::step` as in process, and leaves each its answer. While Redis does not answer,
/// each agent's half of the gate goes by itself, and nothing here makes anybody wait.
class RedisGates final : public Gates
{
public:
    using Events = std::vector<std::pair<RouteStates::Key, routing::GateEvent>>;

    /// `agentId`: unique in the fleet.
    RedisGates(RouteStates& states, std::string agentId);

    /// Does what is due: tells, steps, hears. Returns when something will be due again. The fleet's
    /// thread alone.
    [[nodiscard]] Instant exchange(Instant now, const GatePort& port);

    /// Before the end, what the fleet does not know yet is due at once.
    void hurry();

    /// What this agent has seen happen, once, for the log. The fleet's thread alone.
    [[nodiscard]] Events takeEvents() { return std::exchange(m_events, {}); }

    void restore(const std::vector<SavedGate>& saved, Instant now) override;
    [[nodiscard]] std::vector<SavedGate> save() override;
    [[nodiscard]] std::map<RouteStates::Key, GateGauge> gauges(Instant now) const override;
    [[nodiscard]] std::int64_t demandMilliRps(const std::string& model) const override;

    [[nodiscard]] std::int64_t emptied() const override
    {
        return m_emptied.load(std::memory_order_relaxed);
    }

    /// A gate goes by this agent's evidence alone. Any thread, as the following.
    [[nodiscard]] bool isLocal() const { return m_isLocal.load(std::memory_order_relaxed); }

    /// That share the gates; 0 = not known yet.
    [[nodiscard]] std::int64_t agents() const { return m_agents.load(std::memory_order_relaxed); }

private:
    struct Provider
    {
        std::string name;
        std::string number; ///< of the last message
        bool waits = false;
        bool everAnswered = false;
        /// The fleet's time line, and when it was seen here.
        std::int64_t lineMs = 0;
        Instant lineAt{};
        std::int64_t born = 0;
    };

    struct Turn
    {
        Provider& provider;
        std::int64_t token = 0;
        GateTurn gates;
    };

    using Messages = std::map<std::string, std::string>; ///< by provider

    [[nodiscard]] Messages report(Instant now);
    void visit(const Messages& messages, Instant now, const GatePort& port);
    [[nodiscard]] RedisCommand
    enter(Provider& provider, std::string message, Instant now, const GatePort& port);
    void hear(Provider& provider, const RedisReply& reply, Instant now, std::vector<Turn>& turns);
    [[nodiscard]] Turn turnFrom(Provider& provider, const RedisReply& reply) const;
    [[nodiscard]] static RedisCommand leave(const Turn& turn, const GatePort& port);
    void keep(const Turn& turn, Instant now);
    void apply(Provider& provider, const ReplyMessage& message, Instant now);
    void log(const RouteStates::Key& route, const routing::GateEvent& event);
    void logged(std::span<const RedisReply> replies);
    [[nodiscard]] Messages waiting() const;
    [[nodiscard]] Duration jittered(Duration about);

    RouteStates& m_states;
    std::string m_agentId;
    std::string m_agent;
    GateBook m_book;
    std::map<std::string, Provider> m_providers;
    std::int64_t m_number = 0;
    std::uint64_t m_draws = 0;
    bool m_hurries = false;
    Instant m_nextTick{};
    Instant m_nextLook = Instant::max();
    Events m_events;
    std::vector<RedisCommand> m_log;
    std::atomic<bool> m_isLocal{false};
    std::atomic<std::int64_t> m_emptied{0}, m_agents{0};
};

} // namespace weir::fleet
