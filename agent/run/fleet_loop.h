// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/redis.h"
#include "agent/fleet/redis_gates.h"
#include "agent/fleet/shared_pins.h"
#include "agent/fleet/shared_summary.h"
#include "agent/run/paced_thread.h"
#include "agent/run/standing_alerts.h"
#include "common/model/summary.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::run {

struct FleetLoopOptions
{
    /// Unique in the fleet.
    std::string agentId;
    StandingAlerts* alerts = nullptr;
    /// Another agent's summary, on the fleet's thread.
    std::function<void(Summary)> onSummary = [](Summary) {};
    /// What this agent has served since it was last asked, and what another one has; on the fleet's
    /// thread.
    std::function<std::vector<fleet::SharedPin>()> servedPins = [] {
        return std::vector<fleet::SharedPin>{};
    };
    std::function<void(const std::vector<fleet::SharedPin>&)> onPins =
        [](const std::vector<fleet::SharedPin>&) {};
    /// How long a pin lasts.
    std::function<std::chrono::milliseconds()> pinLife = [] {
        return std::chrono::milliseconds{300'000};
    };
};

/// The thread that shares with other agents through Redis: gates, pins, and the newest summary.
/// Nobody else speaks to Redis, so nobody else waits for it.
class FleetLoop final
{
public:
    FleetLoop(
        FleetLoopOptions options, std::unique_ptr<fleet::Redis> redis, fleet::RouteStates& states);
    ~FleetLoop();
    FleetLoop(const FleetLoop&) = delete;
    FleetLoop& operator=(const FleetLoop&) = delete;

    void start();
    /// Tells the fleet what it does not know yet, and ends the thread.
    void stop();

    [[nodiscard]] fleet::RedisGates& gates() { return m_gates; }

    /// "ok" or "down": whatever the reason is, the gates are left without answers. Any thread.
    [[nodiscard]] std::string redis() const { return m_isDown ? "down" : "ok"; }

    /// For all agents; `token`: of the lease under which it was made. Any thread.
    void publish(const Summary& summary, std::int64_t token);

private:
    [[nodiscard]] Instant run();
    [[nodiscard]] std::vector<fleet::RedisReply> ask(std::span<const fleet::RedisCommand> commands);
    void takeSummary(std::span<const fleet::RedisReply> replies);
    [[nodiscard]] std::string faultNow();
    void tellState();

    FleetLoopOptions m_options;
    std::unique_ptr<fleet::Redis> m_redis;
    fleet::RedisGates m_gates;
    fleet::GatePort m_port;
    fleet::SharedSummary m_summary;
    fleet::SharedPins m_pins;
    Instant m_nextRide{};
    std::string m_trouble;
    bool m_wasLocal = false;
    Instant m_localSince{};
    std::atomic<bool> m_isDown{false};
    PacedThread m_thread;
};

/// The time by Redis, where it answers at once: gates of agents that start by it have one time
/// line, whatever their hosts' clocks say.
[[nodiscard]] std::optional<UtcTime> redisTime(fleet::Redis& redis);

} // namespace weir::run
