// SPDX-License-Identifier: Apache-2.0

// weir-bench-fleet PORT AGENTS SECONDS: that many agents of a fleet, each with a connection of its
// own, share ten routes of five providers, and tell each other of ten conversations a time, through
// the Redis at that port of 127.0.0.1. Prints one line of JSON: what it costs.

#include "agent/fleet/gate_scripts.h"
#include "agent/fleet/redis.h"
#include "agent/fleet/redis_gates.h"
#include "agent/fleet/shared_pins.h"
#include "agent/fleet/shared_summary.h"
#include "agent/net/clock.h"
#include "common/base/histogram.h"

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <queue>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::fleet;

constexpr int kProviders = 5;
constexpr int kModels = 2;
constexpr std::uint64_t kServed = 10;
/// Agents that speak at the same time.
constexpr std::size_t kThreads = 16;
/// Until everybody knows everybody, and has the pace of so many.
constexpr auto kWarmUp = 4s;

/// The load's pace.
void awaitTime(Instant time)
{
    std::mutex mutex;
    std::condition_variable nobody;
    std::unique_lock lock(mutex);
    while (net::monotonicNow() < time)
        nobody.wait_for(lock, time - net::monotonicNow());
}

struct Agent
{
    Agent(const RedisAddress& address, const std::string& id)
        : redis(address)
        , states({}, net::monotonicNow(), net::utcNow(), agentNumber(id))
        , gates(states, id)
        , summary(redis.script(std::string{kPublishScript}))
        , pins(id)
        , conversation(std::uint64_t{agentNumber(id)} << 32U)
    {
        port.enter = &redis.script(std::string{kEnterScript});
        port.leave = &redis.script(std::string{kLeaveScript});
        port.ask = [this](std::span<const RedisCommand> commands) { return ask(commands); };
        std::vector<SavedGate> known;
        for (int i = 0; i < kProviders * kModels; ++i)
            known.push_back(
                {"m" + std::to_string(i % kModels), "p" + std::to_string(i / kModels), ""});
        gates.restore(known, net::monotonicNow());
        for (const auto& [key, route] : states.all())
            routes.push_back(route);
    }

    /// As FleetLoop does: summary and pins travel with what the gates ask.
    std::vector<RedisReply> ask(std::span<const RedisCommand> commands)
    {
        ++asks;
        const Instant now = net::monotonicNow();
        if (now < nextRide) return redis.ask(commands);
        nextRide = now + 200ms;
        std::vector<RedisCommand> all{commands.begin(), commands.end()};
        for (RedisCommand& command : summary.commands())
            all.push_back(std::move(command));
        const std::size_t pinsAt = all.size();
        for (RedisCommand& command : pins.commands(served(), 300s, gates.agents()))
            all.push_back(std::move(command));
        std::vector<RedisReply> replies = redis.ask(all);
        const std::span<const RedisReply> answers{replies};
        static_cast<void>(summary.take(answers.subspan(commands.size(), pinsAt - commands.size())));
        heard += pins.take(answers.subspan(pinsAt)).size();
        replies.resize(commands.size());
        return replies;
    }

    std::vector<SharedPin> served()
    {
        std::vector<SharedPin> made(kServed);
        for (SharedPin& pin : made)
            pin = {++conversation, 1, false, 100};
        return made;
    }

    /// A request, to one route after the other.
    void attempt()
    {
        RouteState& route = *routes[++attempts % routes.size()];
        route.asked(GateClass::Fresh);
        RouteState::Flight flight(route, net::monotonicNow());
        flight.ended(Outcome::Ok, 0ms, net::monotonicNow());
    }

    Redis redis;
    RouteStates states;
    RedisGates gates;
    SharedSummary summary;
    SharedPins pins;
    std::uint64_t conversation;
    std::size_t heard = 0;
    std::size_t asks = 0;
    Instant nextRide{};
    GatePort port;
    std::vector<std::shared_ptr<RouteState>> routes;
    std::size_t attempts = 0;
};

struct Measured
{
    std::mutex mutex;
    Histogram exchangeUs;
    std::size_t asks = 0;
    std::size_t heard = 0;
};

void drive(std::vector<Agent*> agents, Instant from, Instant until, Measured& measured)
{
    using Due = std::pair<Instant, std::size_t>;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> queue;
    for (std::size_t i = 0; i < agents.size(); ++i)
        queue.emplace(net::monotonicNow() + 250ms * i / agents.size(), i);
    Measured own;
    while (queue.top().first < until) {
        const auto [due, index] = queue.top();
        queue.pop();
        awaitTime(due);
        Agent& agent = *agents[index];
        agent.attempt();
        agent.asks = agent.heard = 0;
        const Instant start = net::monotonicNow();
        queue.emplace(agent.gates.exchange(start, agent.port), index);
        if (start < from) continue;
        const auto took = net::monotonicNow() - start;
        own.exchangeUs.add(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
        own.asks += agent.asks;
        own.heard += agent.heard;
    }
    const std::scoped_lock lock(measured.mutex);
    measured.exchangeUs.merge(own.exchangeUs);
    measured.asks += own.asks;
    measured.heard += own.heard;
}

double cpuS()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// A figure of INFO.
double figure(const std::string& info, const std::string& name)
{
    const std::size_t at = info.find(name);
    return at == std::string::npos ? 0 : std::strtod(info.c_str() + at + name.size(), nullptr);
}

} // namespace

int main(int count, char** words)
{
    if (count != 4) {
        static_cast<void>(std::fprintf(stderr, "usage: weir-bench-fleet PORT AGENTS SECONDS\n"));
        return 2;
    }
    RedisAddress address;
    address.host = "127.0.0.1";
    address.port = static_cast<std::uint16_t>(std::atoi(words[1]));
    const auto size = static_cast<std::size_t>(std::max(std::atoi(words[2]), 1));
    const double seconds = std::max(std::atof(words[3]), 1.0);
    std::vector<std::unique_ptr<Agent>> agents;
    for (std::size_t i = 0; i < size; ++i)
        agents.push_back(std::make_unique<Agent>(address, "agent-" + std::to_string(i)));
    Redis observer(address);
    const auto info = [&observer] { return observer.ask({{"INFO", "everything"}, {}}).text; };
    Measured measured;
    const Instant from = net::monotonicNow() + kWarmUp;
    const Instant until =
        from + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < std::min(kThreads, size); ++i) {
        std::vector<Agent*> mine;
        for (std::size_t k = i; k < size; k += kThreads)
            mine.push_back(agents[k].get());
        threads.emplace_back(
            [mine, from, until, &measured] { drive(mine, from, until, measured); });
    }
    awaitTime(from);
    const std::string before = info();
    const double cpuBefore = cpuS();
    for (std::thread& thread : threads)
        thread.join();
    const std::string after = info();
    const double cpu = cpuS() - cpuBefore;
    const auto perAgentS = [&](const std::string& name) {
        return (figure(after, name) - figure(before, name)) / seconds / static_cast<double>(size);
    };
    const auto each = [&](std::size_t number) {
        return static_cast<double>(number) / seconds / static_cast<double>(size);
    };
    const auto local =
        std::ranges::count_if(agents, [](const auto& agent) { return agent->gates.isLocal(); });
    const auto quantile = [&](double q) {
        return static_cast<double>(measured.exchangeUs.quantile(q).value_or(0)) / 1000.0;
    };
    const nlohmann::ordered_json json{
        {"agents", size},
        {"known", agents.front()->gates.agents()},
        {"local", local},
        {"asks", each(measured.asks)},
        {"scripts", perAgentS("cmdstat_evalsha:calls=")},
        {"pins_heard", each(measured.heard)},
        {"redis_cpu",
         (figure(after, "used_cpu_user:") + figure(after, "used_cpu_sys:") -
          figure(before, "used_cpu_user:") - figure(before, "used_cpu_sys:")) /
             seconds},
        {"agent_cpu", cpu / seconds / static_cast<double>(size)},
        {"in_bytes", perAgentS("total_net_input_bytes:")},
        {"out_bytes", perAgentS("total_net_output_bytes:")},
        {"exchange_ms", {{"p50", quantile(0.5)}, {"p99", quantile(0.99)}, {"max", quantile(1.0)}}}};
    static_cast<void>(std::printf("%s\n", json.dump().c_str()));
    return 0;
}
