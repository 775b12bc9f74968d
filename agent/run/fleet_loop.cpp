// SPDX-License-Identifier: Apache-2.0
#include "agent/run/fleet_loop.h"

#include "agent/fleet/gate_scripts.h"
#include "agent/net/clock.h"
#include "agent/run/log.h"
#include "common/model/summary_json.h"

#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include <charconv>

namespace weir::run {
namespace {

/// A name server gets so long at the start.
constexpr std::chrono::milliseconds kStartWait{300};
/// Riders ask no more often than that.
constexpr std::chrono::milliseconds kRideEvery{200};
/// Gates that go by themselves for so long are not just late.
constexpr std::chrono::seconds kLocalLong{2};

std::int64_t numberOf(const std::string& text)
{
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

} // namespace

std::optional<UtcTime> redisTime(fleet::Redis& redis)
{
    redis.awaitName(kStartWait);
    const fleet::RedisReply reply = redis.ask({{"TIME"}, {}});
    if (!reply.isList() || reply.items.size() != 2) return std::nullopt;
    return fromEpochMs(numberOf(reply.items[0].text) * 1000 + numberOf(reply.items[1].text) / 1000);
}

FleetLoop::FleetLoop(
    FleetLoopOptions options, std::unique_ptr<fleet::Redis> redis, fleet::RouteStates& states)
    : m_options(std::move(options))
    , m_redis(std::move(redis))
    , m_gates(states, m_options.agentId)
    , m_summary(m_redis->script(std::string{fleet::kPublishScript}))
    , m_pins(m_options.agentId)
{
    m_port.ask = [this](std::span<const fleet::RedisCommand> commands) { return ask(commands); };
    m_port.enter = &m_redis->script(std::string{fleet::kEnterScript});
    m_port.leave = &m_redis->script(std::string{fleet::kLeaveScript});
    tellState();
}

FleetLoop::~FleetLoop()
{
    stop();
}

void FleetLoop::start()
{
    m_thread.start([this] { return run(); });
}

void FleetLoop::stop()
{
    if (!m_thread.stop()) return;
    m_gates.hurry();
    static_cast<void>(run());
}

void FleetLoop::publish(const Summary& summary, std::int64_t token)
{
    m_summary.publish(summary.id, summary.computedAtMs, toJson(summary).dump(), token);
    m_thread.poke();
}

Instant FleetLoop::run()
{
    const Instant next = m_gates.exchange(net::monotonicNow(), m_port);
    for (const auto& [route, event] : m_gates.takeEvents())
        logGate(route, event);
    tellState();
    return next;
}

/// What the gates ask, and now and then behind it what others want to know.
std::vector<fleet::RedisReply> FleetLoop::ask(std::span<const fleet::RedisCommand> commands)
{
    const Instant now = net::monotonicNow();
    if (now < m_nextRide) return m_redis->ask(commands);
    m_nextRide = now + kRideEvery;
    std::vector<fleet::RedisCommand> all{commands.begin(), commands.end()};
    for (fleet::RedisCommand& command : m_summary.commands())
        all.push_back(std::move(command));
    const std::size_t pinsAt = all.size();
    for (fleet::RedisCommand& command :
         m_pins.commands(m_options.servedPins(), m_options.pinLife(), m_gates.agents())) {
        all.push_back(std::move(command));
    }
    std::vector<fleet::RedisReply> replies = m_redis->ask(all);
    const std::span<const fleet::RedisReply> answers{replies};
    takeSummary(answers.subspan(commands.size(), pinsAt - commands.size()));
    m_options.onPins(m_pins.take(answers.subspan(pinsAt)));
    replies.resize(commands.size());
    return replies;
}

void FleetLoop::takeSummary(std::span<const fleet::RedisReply> replies)
{
    const std::optional<std::string> json = m_summary.take(replies);
    if (!json) return;
    Result<Summary> summary = summaryFromJson(*json);
    if (summary) {
        m_options.onSummary(std::move(*summary));
    } else {
        spdlog::warn("event=summary_unreadable from=redis detail=\"{}\"", summary.error().text());
    }
}

/// Empty while Redis serves the fleet.
std::string FleetLoop::faultNow()
{
    const bool isLocal = m_gates.isLocal();
    const Instant now = net::monotonicNow();
    if (isLocal && !m_wasLocal) m_localSince = now;
    if (isLocal != m_wasLocal) spdlog::info("event=gates gate={}", isLocal ? "local" : "shared");
    m_wasLocal = isLocal;
    if (const auto trouble = m_redis->trouble()) return std::string{toWord(trouble->fault)};
    return isLocal && now - m_localSince >= kLocalLong ? "unanswered" : "";
}

/// Once a change, not each time.
void FleetLoop::tellState()
{
    const std::string fault = faultNow();
    const std::string where = m_redis->where();
    m_isDown = !fault.empty();
    if (fault != m_trouble) {
        if (m_isDown) {
            const auto trouble = m_redis->trouble();
            const std::string detail = trouble ? trouble->detail : "it answers, but not the gates";
            spdlog::warn("event=redis state=down at={} why={} detail=\"{}\"", where, fault, detail);
        } else {
            spdlog::info("event=redis state=ok at={}", where);
        }
        m_trouble = fault;
    }
    if (m_options.alerts == nullptr) return;
    const std::string text = "Redis at " + where + " does not serve the fleet (" + fault +
                             "): each agent goes by " +
                             "its own share of the permitted rates until it does";
    m_options.alerts->set("redis_down", m_isDown ? text : std::string{}, net::utcNow());
}

} // namespace weir::run
