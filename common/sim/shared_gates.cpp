// SPDX-License-Identifier: Apache-2.0
#include "common/sim/shared_gates.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace weir::sim {
namespace {

/// A cut of the last half hour still says what the route bears (routing.md section 4).
constexpr std::int64_t kRecentCutMs = 30LL * 60'000;

std::int64_t leastOf(const routing::GateReply& reply)
{
    std::int64_t least = reply.permittedMilliRps;
    if (reply.capMilliRps >= 0) least = std::min(least, reply.capMilliRps);
    if (reply.quotaMilliRps >= 0) least = std::min(least, reply.quotaMilliRps);
    return least;
}

void count(GateCounts& counts, routing::GateEventKind kind)
{
    switch (kind) {
    case routing::GateEventKind::Cut:
        ++counts.cuts;
        break;
    case routing::GateEventKind::BreakerOpened:
        ++counts.breakerOpened;
        break;
    case routing::GateEventKind::HoldSet:
        ++counts.holdsSet;
        break;
    case routing::GateEventKind::CapLearned:
        ++counts.capsLearned;
        break;
    default:
        break;
    }
}

} // namespace

Quota quotaOf(const RouteShape& shape)
{
    return {.milliRps = std::llround(shape.quotaRps.value_or(0.0) * 1e3)};
}

SharedGates::SharedGates(const Scenario& scenario)
    : m_seed(scenario.seed)
    , m_rules(scenario.rules)
{
    std::vector<std::string> providers;
    std::uint64_t key = 0;
    for (const ScenarioModel& model : scenario.models) {
        m_gates.emplace_back();
        m_counts.emplace_back(model.routes.size());
        for (const ScenarioRoute& route : model.routes) {
            const auto known = std::ranges::find(providers, route.provider);
            Shared shared;
            shared.account = static_cast<std::size_t>(known - providers.begin());
            shared.key = key++;
            shared.quota = quotaOf(route.shape);
            shared.state = routing::newGate(false);
            // In force until agents have spoken: nothing has been asked for yet.
            shared.reply.permittedMilliRps = 1;
            if (known == providers.end()) providers.push_back(route.provider);
            m_gates.back().push_back(std::move(shared));
        }
    }
    m_accounts.resize(providers.size());
}

routing::GateParams SharedGates::paramsOf(RouteRef route) const
{
    const Shared& shared = at(route);
    return {.routeKey = shared.key, .seed = m_seed, .rules = m_rules, .quota = shared.quota};
}

void SharedGates::set(RedisChange change)
{
    m_isUp = change != RedisChange::Down;
    if (change != RedisChange::Empty) return;
    for (std::vector<Shared>& model : m_gates) {
        for (Shared& shared : model)
            shared.state = routing::newGate(shared.everUsed);
    }
    std::ranges::fill(m_accounts, routing::AccountHold{});
}

routing::GateReply
SharedGates::exchange(RouteRef route, const routing::GateReport& report, std::int64_t nowMs)
{
    Shared& shared = at(route);
    shared.reply =
        routing::step(shared.state, m_accounts[shared.account], report, nowMs, paramsOf(route));
    note(route, shared.reply.events);
    observe(shared, nowMs);
    return shared.reply;
}

void SharedGates::note(RouteRef route, const std::vector<routing::GateEvent>& events)
{
    Shared& shared = at(route);
    for (const routing::GateEvent& event : events) {
        count(m_counts[route.model][route.route], event.kind);
        if (event.kind != routing::GateEventKind::Cut) continue;
        // By a half where most failures were 429s, else by a fifth (routing.md section 4).
        const std::int64_t base = std::min(event.beforeMilliRps, event.usedMilliRps);
        ++(event.afterMilliRps * 100 < base * 65 ? shared.halvingCuts : shared.easingCuts);
    }
}

void SharedGates::probeStarted(RouteRef route)
{
    std::uint64_t& most = m_counts[route.model][route.route].probesMost;
    most = std::max(most, ++at(route).probes);
}

void SharedGates::countAnew()
{
    for (std::vector<GateCounts>& model : m_counts)
        std::ranges::fill(model, GateCounts{});
}

void SharedGates::describe(RouteRef route, RouteMoment& moment) const
{
    const routing::GateReply& reply = at(route).reply;
    moment.permittedMilliRps = std::max<std::int64_t>(leastOf(reply), 1);
    moment.capMilliRps = reply.capMilliRps;
    moment.breaker = reply.breaker;
    moment.hold = reply.hold;
}

void SharedGates::describe(RouteRef route, routing::RouteSetup& setup, std::int64_t nowMs) const
{
    const Shared& shared = at(route);
    setup.aboveFloor = shared.reply.aboveFloor;
    setup.breaker = shared.reply.breaker;
    setup.hold = shared.reply.hold;
    setup.limitMilliRps = shared.reply.capMilliRps;
    const std::int64_t quota = shared.reply.quotaMilliRps;
    const bool isUncapped = setup.limitMilliRps < 0;
    if (quota >= 0) setup.limitMilliRps = isUncapped ? quota : std::min(setup.limitMilliRps, quota);
    const std::int64_t lastCut = shared.state.rate.lastCutMs;
    if (lastCut != routing::kNeverMs && nowMs - lastCut < kRecentCutMs)
        setup.limitMilliRps = leastOf(shared.reply);
}

std::int64_t SharedGates::demandMilliRps(std::size_t model) const
{
    std::int64_t demand = 0;
    for (const routing::AgentWant& want : m_gates[model].front().state.wants)
        demand += want.groupMicro / routing::kMicroPerMilli;
    return demand;
}

void SharedGates::observe(Shared& shared, std::int64_t nowMs)
{
    shared.creditHold = shared.creditHold || shared.reply.hold == HoldKind::Credit;
    shared.authHold = shared.authHold || shared.reply.hold == HoldKind::Auth;
    const bool open = shared.reply.breaker != BreakerState::Closed;
    if (shared.openSinceMs != routing::kNeverMs)
        shared.openForMs = std::max(shared.openForMs, nowMs - shared.openSinceMs);
    if (open != (shared.openSinceMs != routing::kNeverMs))
        shared.openSinceMs = open ? nowMs : routing::kNeverMs;
}

void SharedGates::takeMinute(
    const Scenario& scenario, std::int64_t endMs, routing::MinuteFacts& facts)
{
    for (std::size_t model = 0; model < m_gates.size(); ++model) {
        for (std::size_t route = 0; route < m_gates[model].size(); ++route) {
            Shared& shared = m_gates[model][route];
            observe(shared, endMs);
            const std::string& provider = scenario.models[model].routes[route].provider;
            facts.gates.push_back(
                {scenario.models[model].name,
                 provider,
                 std::exchange(shared.halvingCuts, 0),
                 std::exchange(shared.easingCuts, 0),
                 std::exchange(shared.openForMs, 0)});
            facts.accounts.push_back(
                {provider,
                 std::exchange(shared.creditHold, false),
                 std::exchange(shared.authHold, false)});
        }
    }
}

} // namespace weir::sim
