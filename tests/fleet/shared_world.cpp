// SPDX-License-Identifier: Apache-2.0
#include "tests/fleet/shared_world.h"

#include "agent/fleet/gate_scripts.h"

#include <algorithm>
#include <numeric>

namespace weir::fleet::test {
namespace {

constexpr std::int64_t kStepMs = 10;

RedisLimits patient()
{
    RedisLimits limits;
    limits.connect = limits.answer = std::chrono::seconds{10};
    return limits;
}

/// The same script on the test's clock.
std::string onTestClock(std::string_view script)
{
    constexpr std::string_view kReal = "redis.call('TIME')";
    std::string text{script};
    text.replace(text.find(kReal), kReal.size(), "redis.call('HMGET', 'test', 's', 'us')");
    return text;
}

Instant instantOf(std::int64_t ms)
{
    return Instant{std::chrono::milliseconds{ms}};
}

std::string gateKey(const SharedWorld::Route& route)
{
    return "weir:1:{" + route.provider + "}:gate";
}

} // namespace

SharedWorld::SharedWorld(const ScratchRedis& redis, std::size_t agents, std::uint64_t seed)
    : m_redis(redis.address(), patient())
    , m_chance{seed}
    , m_agents(agents)
{
    m_scripts.enter = &m_redis.script(onTestClock(kEnterScript));
    m_scripts.leave = &m_redis.script(std::string{kLeaveScript});
    for (std::size_t i = 0; i < agents; ++i)
        begin(i);
}

void SharedWorld::begin(std::size_t index)
{
    Agent& agent = m_agents[index];
    const std::string id = "agent-" + std::to_string(index);
    agent.states = std::make_unique<RouteStates>(
        routing::GateParams{}, now(), fromEpochMs(m_nowMs), agentNumber(id));
    agent.gates = std::make_unique<RedisGates>(*agent.states, id);
    std::vector<SavedGate> known;
    for (const Route& route : m_routes) {
        agent.states->of(route.model, route.provider, now())->setLimits(route.quota, {}, now());
        if (std::ranges::find(m_new, &route) == m_new.end())
            known.push_back({route.model, route.provider, "not readable"});
    }
    agent.gates->restore(known, now());
    agent.next = instantOf(m_nowMs + m_chance.below(250));
    ++agent.life;
}

void SharedWorld::setQuota(Route& route, const Quota& quota)
{
    route.quota = quota;
    for (Agent& agent : m_agents)
        agent.states->of(route.model, route.provider, now())->setLimits(quota, {}, now());
}

SharedWorld::Route&
SharedWorld::add(std::string model, std::string provider, double demandRps, bool isNew)
{
    Route& route = m_routes.emplace_back();
    route.model = std::move(model);
    route.provider = std::move(provider);
    route.demandRps = demandRps;
    route.askedOf.resize(m_agents.size());
    route.sentBy.resize(m_agents.size());
    if (isNew) m_new.push_back(&route);
    for (std::size_t i = 0; i < m_agents.size(); ++i)
        begin(i);
    return route;
}

std::int64_t SharedWorld::count(routing::GateEventKind kind) const
{
    return std::ranges::count_if(
        events, [kind](const auto& each) { return each.second.kind == kind; });
}

std::int64_t SharedWorld::count(routing::GateEventKind kind, const Route& route) const
{
    const RouteStates::Key key{route.model, route.provider};
    return std::ranges::count_if(
        events, [&](const auto& each) { return each.first == key && each.second.kind == kind; });
}

void SharedWorld::arrive(Route& route)
{
    std::vector<double> sums;
    for (std::size_t i = 0; i < m_agents.size(); ++i)
        sums.push_back((sums.empty() ? 0 : sums.back()) + weight(i));
    const double drawn = sums.back() * static_cast<double>(m_chance.below(1 << 30)) / (1 << 30);
    const auto index =
        static_cast<std::size_t>(std::ranges::upper_bound(sums, drawn) - sums.begin());
    Agent& agent = m_agents[index];
    ++route.asked;
    ++route.askedOf[index];
    agent.states->requestsOf(route.model)->fetch_add(1);
    const auto state = agent.states->of(route.model, route.provider, now());
    state->asked(GateClass::Fresh);
    const GateView view = state->view(now());
    const bool rests = view.hold != HoldKind::None || view.breaker != BreakerState::Closed;
    if (rests ? !view.probeFree : !view.guardOpen || !m_chance.happens(view.admitPpm[1])) return;
    ++route.sent;
    ++route.sentBy[index];
    if (rests) route.probesMost = std::max(route.probesMost, ++route.probes);
    Attempt attempt{m_nowMs + route.takesMs, &route, route.outcome(m_nowMs), rests, nullptr, state};
    attempt.flight = std::make_unique<RouteState::Flight>(*state, now());
    m_attempts.emplace(attempt.endMs, std::move(attempt));
}

std::vector<RedisReply> SharedWorld::ask(std::size_t agent, std::span<const RedisCommand> commands)
{
    const std::vector<RedisReply> lost(
        commands.size(), redisError(RedisFault::Unreachable, "lost by the test"));
    const bool isLeave = !commands.empty() && commands.front().script == m_scripts.leave;
    if (isLeave && m_chance.happens(diePpm)) m_dies = true;
    if (isLeave && !m_stalled && m_chance.happens(stallPpm)) stall(agent);
    if (cutOff(agent) || m_dies || m_chance.happens(lossPpm / 2)) return lost;
    std::vector<RedisCommand> all{commands.begin(), commands.end()};
    const std::int64_t clock = m_nowMs + clockOffMs;
    all.insert(
        all.begin(),
        {{"HSET",
          "test",
          "s",
          std::to_string(clock / 1000),
          "us",
          std::to_string(clock % 1000 * 1000)},
         "test"});
    std::vector<RedisReply> replies = m_redis.ask(all);
    replies.erase(replies.begin());
    for (const RedisReply& reply : replies) {
        if (reply.isError()) qFatal("%s", reply.text.c_str());
    }
    return m_chance.happens(lossPpm / 2) ? lost : replies;
}

void SharedWorld::stall(std::size_t index)
{
    m_stalled = index;
    runFor(m_chance.happens(500'000) ? 20 + m_chance.below(100) : 510 + m_chance.below(400));
    m_stalled.reset();
}

void SharedWorld::exchange(std::size_t index)
{
    GatePort port = m_scripts;
    port.ask = [this, index](std::span<const RedisCommand> commands) {
        return ask(index, commands);
    };
    Agent& agent = m_agents[index];
    agent.next = agent.gates->exchange(now(), port);
    RedisGates::Events seen = agent.gates->takeEvents();
    events.insert(events.end(), seen.begin(), seen.end());
    if (!std::exchange(m_dies, false)) return;
    ++deaths;
    begin(index);
}

Instant SharedWorld::now() const
{
    return instantOf(m_nowMs);
}

void SharedWorld::runFor(std::int64_t ms)
{
    for (const std::int64_t end = m_nowMs + ms; m_nowMs < end; m_nowMs += kStepMs) {
        while (!m_attempts.empty() && m_attempts.begin()->first <= m_nowMs) {
            Attempt& attempt = m_attempts.begin()->second;
            attempt.flight->ended(attempt.outcome, std::chrono::milliseconds{0}, now());
            if (attempt.isProbe) --attempt.route->probes;
            attempt.flight.reset();
            m_attempts.erase(m_attempts.begin());
        }
        for (Route& route : m_routes) {
            // Two coins a step: Poisson as nearly as the rules can tell.
            const auto ppm = static_cast<std::int64_t>(route.demandRps * kStepMs * 500);
            for (int i = 0; i < 2; ++i) {
                if (m_chance.happens(ppm)) arrive(route);
            }
        }
        for (std::size_t i = 0; i < m_agents.size(); ++i) {
            if (m_stalled != i && now() >= m_agents[i].next) exchange(i);
        }
    }
}

std::optional<SharedGate> SharedWorld::gate(const Route& route) const
{
    Redis& redis = const_cast<Redis&>(m_redis);
    const RedisReply reply =
        redis.ask({{"HGET", gateKey(route), "s:" + route.model}, gateKey(route)});
    return unpackGate(reply.text);
}

void SharedWorld::setRate(const Route& route, double rps)
{
    std::optional<SharedGate> known = gate(route);
    if (!known) qFatal("nothing is known of the route yet");
    known->state.rate.rateMicro = static_cast<std::int64_t>(rps * 1e6);
    known->state.rate.frozenUntilMs = m_nowMs + 86'400'000;
    ++known->state.version;
    const RedisReply done =
        m_redis.ask({{"HSET", gateKey(route), "s:" + route.model, packed(*known)}, gateKey(route)});
    if (done.isError()) qFatal("%s", done.text.c_str());
}

void SharedWorld::empty()
{
    if (m_redis.ask({{"FLUSHALL"}, {}}).isError()) qFatal("Redis cannot be emptied");
}

} // namespace weir::fleet::test
