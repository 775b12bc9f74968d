// SPDX-License-Identifier: Apache-2.0
#include "common/sim/fleet.h"

#include "common/model/decision_record.h"
#include "common/routing/ladder.h"

#include <algorithm>

namespace weir::sim {
namespace {

constexpr std::int64_t kSummaryMaxAgeMs = 900'000;
constexpr std::size_t kPinsMax = 65536;
/// Every decision is decided again; of so many one goes through its saved text first.
constexpr std::uint64_t kSavedOneIn = 16;

DecisionInput inputOf(const Scenario& scenario, const ScenarioModel& model)
{
    DecisionInput input;
    input.policy = policyOf(scenario.settings);
    input.seed = scenario.seed;
    input.routes.resize(model.routes.size());
    for (std::size_t i = 0; i < model.routes.size(); ++i) {
        RouteOption& option = input.routes[i];
        option.fixedPosition = setupOf(model, i, true).fixedPosition;
        option.listPriceNanoUsd = listPriceNanoUsd(model.routes[i].shape.price);
    }
    return input;
}

/// A conversation has a pin with each model of its ladder. Ids of tasks leave these bits free.
std::uint64_t pinKey(std::uint64_t task, std::size_t model)
{
    constexpr unsigned kFreeBits = 40;
    return task ^ static_cast<std::uint64_t>(model) << kFreeBits;
}

CoinKey coin(const Draws& draws, const LiveTask& task, std::uint32_t lane)
{
    const auto words = draws.block(DrawFor::Coin, lane, task.plan.id, lane == 0 ? 0 : task.call);
    return {static_cast<std::uint64_t>(words[1]) << 32U | words[0], words[2]};
}

} // namespace

Fleet::Fleet(
    const Scenario& scenario,
    const std::vector<PoolName>& pools,
    const Eligibility& eligibility,
    const Draws& draws,
    World& world,
    Micros from)
    : m_scenario(scenario)
    , m_pools(pools)
    , m_eligibility(eligibility)
    , m_draws(draws)
    , m_world(world)
    , m_from(from)
    , m_shared(scenario)
    , m_job(scenario, pools, epochMsOf(scenario, from))
    , m_watch(scenario, pools)
{
    for (const ScenarioModel& model : scenario.models)
        m_inputs.push_back(inputOf(scenario, model));
    for (std::uint32_t agent = 0; agent < scenario.agents; ++agent)
        m_agents.push_back(newAgent(agent, from));
}

std::int64_t Fleet::gateMs(Micros at)
{
    const Micros rest = at % 1000;
    return (at - (rest < 0 ? rest + 1000 : rest)) / 1000;
}

SimAgent Fleet::newAgent(std::uint32_t index, Micros now) const
{
    SimAgent agent;
    agent.pins = routing::PinTable(policyOf(m_scenario.settings).pinMs, kPinsMax);
    const std::int64_t nowMs = gateMs(now);
    for (std::size_t model = 0; model < m_scenario.models.size(); ++model) {
        agent.gates.emplace_back();
        for (std::size_t route = 0; route < m_scenario.models[model].routes.size(); ++route) {
            agent.gates.back().emplace_back(
                index, m_shared.everUsed({model, route}), m_shared.paramsOf({model, route}), nowMs);
        }
    }
    agent.demand.resize(m_scenario.models.size());
    agent.syncedAt = now;
    return agent;
}

void Fleet::restart(std::uint32_t agent, Micros now)
{
    const std::uint32_t life = m_agents[agent].life + 1;
    m_agents[agent] = newAgent(agent, now);
    m_agents[agent].life = life;
}

/// Contract section 1: what an agent really does.
EffectiveMode Fleet::modeAt(Micros now) const
{
    if (m_scenario.policy == SimPolicy::Fixed) return EffectiveMode::Fixed;
    if (m_scenario.policy == SimPolicy::Shadow) return EffectiveMode::Shadow;
    const std::int64_t since =
        m_current ? m_current->summary.computedAtMs : epochMsOf(m_scenario, m_from);
    const bool stale = epochMsOf(m_scenario, now) - since > kSummaryMaxAgeMs;
    return stale ? EffectiveMode::Failsafe : EffectiveMode::Adaptive;
}

void Fleet::fill(const LiveTask& task, Micros now)
{
    const std::size_t model = m_pools[task.pool].model;
    const std::int64_t nowMs = epochMsOf(m_scenario, now);
    SimAgent& agent = m_agents[task.plan.agent];
    DecisionInput& input = m_inputs[model];
    input.mode = modeAt(now);
    input.nowMs = nowMs;
    input.taskKey = coin(m_draws, task, 0);
    input.requestKey = coin(m_draws, task, 1);
    input.singleShot = task.plan.singleShot;
    input.explorable = task.call == 0 && !task.plan.singleShot;
    input.pin.reset();
    input.pinExplored = false;
    input.origin.reset();
    input.batch = m_scenario.traffic[task.plan.stream].batch;
    if (const auto pin = agent.pins.find(pinKey(task.plan.id, model), nowMs)) {
        input.pin = static_cast<std::uint8_t>(pin->route);
        input.pinExplored = pin->explored;
    }
    // The state that such a request carries names its issuer.
    if (task.plan.singleShot) input.origin = task.servedHere();
    for (std::size_t i = 0; i < input.routes.size(); ++i) {
        const RouteRef route{model, i};
        input.routes[i].exclusion =
            m_eligibility.of(task.plan.stream, route, m_world.at(route).isKnown(now));
        input.routes[i].gate = agent.gates[model][i].view(gateMs(now), {.batch = input.batch});
    }
    m_input = &input;
}

bool Fleet::decide(LiveTask& task, Micros now)
{
    fill(task, now);
    const routing::PoolView view = m_current ? m_current->views[task.pool] : routing::PoolView{};
    task.decision = routing::decide(view, *m_input);
    task.pinExplored = m_input->pinExplored;
    task.isShed = routing::isShed(task.decision, m_input->mode, m_input->batch);
    const auto& candidates = task.decision.candidates;
    task.isPassedOver =
        !candidates.empty() &&
        routing::isPassedOver(task.decision, m_input->routes[candidates[0].route].gate);
    countDemand(task);
    ++m_decisions;
    if (m_decisions % kSavedOneIn != 0) return routing::decide(view, *m_input) == task.decision;
    const std::string snapshot = m_current ? m_current->summary.id : std::string{};
    const std::string saved = encode(DecisionRecord{snapshot, *m_input, task.decision});
    const Result<DecisionRecord> read = decodeDecision(saved);
    return read && read->decision == task.decision && read->snapshotId == snapshot &&
           routing::decide(view, read->input) == task.decision;
}

void Fleet::countDemand(const LiveTask& task)
{
    SimAgent& agent = m_agents[task.plan.agent];
    const std::size_t model = m_pools[task.pool].model;
    ++agent.demand[model].count;
    const Decision& decision = task.decision;
    for (std::size_t route = 0; route < agent.gates[model].size(); ++route) {
        if ((decision.askedMask >> route & 1U) == 0) continue;
        const bool isArm = decision.exploreArm == static_cast<std::uint8_t>(route);
        GateClass kind = decision.gateClass;
        if (isArm) kind = GateClass::Explore;
        if (!isArm && kind == GateClass::Explore) kind = GateClass::Fresh;
        agent.gates[model][route].asked(kind);
    }
}

void Fleet::chosen(const LiveTask& task)
{
    SimAgent& agent = m_agents[task.plan.agent];
    const std::size_t model = m_pools[task.pool].model;
    ++agent.demand[model].count;
    if (task.decision.candidates.empty()) return;
    agent.gates[model][task.decision.candidates[0].route].asked(GateClass::Fresh);
}

routing::AgentGate* Fleet::gateOf(const LiveTask& task)
{
    SimAgent& agent = m_agents[task.plan.agent];
    if (agent.life != task.attempt.life) return nullptr;
    return &agent.gates[m_pools[task.pool].model][task.attempt.route];
}

void Fleet::attemptStarted(LiveTask& task, Micros now)
{
    const std::int64_t nowMs = gateMs(now);
    task.attempt.life = m_agents[task.plan.agent].life;
    routing::AgentGate& gate = *gateOf(task);
    const ReasonCode code = task.decision.candidates[task.candidate].code;
    // Who goes to a route that is out, as nobody else is left, is as good a probe as any.
    const bool mayProbe = code == ReasonCode::Probe || code == ReasonCode::ForcedOverrun;
    task.attempt.isProbe = mayProbe && gate.takeProbe(nowMs);
    if (!task.attempt.isProbe) static_cast<void>(gate.takeGuard(nowMs));
    gate.dispatched(nowMs);
    const RouteRef route{m_pools[task.pool].model, task.attempt.route};
    m_shared.used(route);
    if (task.attempt.isProbe) m_shared.probeStarted(route);
}

void Fleet::firstOutput(const LiveTask& task, Micros now)
{
    if (task.attempt.isProbe) m_shared.probeEnded({m_pools[task.pool].model, task.attempt.route});
    routing::AgentGate* const gate = gateOf(task);
    if (gate == nullptr) return;
    gate->finished(
        gateMs(task.attempt.startedAt),
        Outcome::Ok,
        0,
        gateMs(now),
        task.attempt.isProbe ? routing::AttemptKind::Probe : routing::AttemptKind::Normal);
}

void Fleet::attemptEnded(LiveTask& task, std::int64_t costMicroUsd, Micros now)
{
    const LiveAttempt& attempt = task.attempt;
    SimAgent& agent = m_agents[task.plan.agent];
    // A probe that succeeds has told all with its first output (routing.md section 4).
    if (attempt.isProbe && !isSuccess(attempt.outcome))
        m_shared.probeEnded({m_pools[task.pool].model, attempt.route});
    const CallFact fact = factOf(task, costMicroUsd, now);
    m_job.add(fact);
    m_watch.count(fact);
    if (isSuccess(attempt.outcome)) {
        agent.budget.onSuccess();
        agent.pins.served(
            pinKey(task.plan.id, m_pools[task.pool].model),
            {attempt.route, attempt.explored, epochMsOf(m_scenario, now)});
        return;
    }
    routing::AgentGate* const gate = gateOf(task);
    if (gate == nullptr) return;
    gate->finished(
        gateMs(attempt.startedAt),
        attempt.outcome,
        0,
        gateMs(now),
        attempt.isProbe ? routing::AttemptKind::Probe : routing::AttemptKind::Normal);
}

routing::NextStep Fleet::nextStep(const LiveTask& task, const routing::Outlook& outlook, Micros now)
{
    const LiveAttempt& attempt = task.attempt;
    routing::FailedAttempt failed;
    failed.outcome = attempt.outcome;
    failed.httpStatus = attempt.outcome == attempt.answer.outcome ? attempt.answer.status : 0;
    failed.probe = attempt.isProbe;
    failed.tookMs = (now - attempt.startedAt) / 1000;
    return routing::nextStep(task.log, failed, outlook, m_agents[task.plan.agent].budget);
}

Micros Fleet::retryDelay(const LiveTask& task) const
{
    const routing::Coin requestCoin(m_scenario.seed, coin(m_draws, task, 1));
    return routing::retryDelayMs(requestCoin, task.log.attempts) * 1000;
}

CallFact Fleet::factOf(const LiveTask& task, std::int64_t costMicroUsd, Micros now) const
{
    const LiveAttempt& attempt = task.attempt;
    CallFact fact;
    fact.endedMs = epochMsOf(m_scenario, now);
    fact.startedMs = epochMsOf(m_scenario, attempt.startedAt);
    fact.task = task.plan.id;
    fact.pool = static_cast<std::uint16_t>(task.pool);
    fact.route = attempt.route;
    fact.outcome = attempt.outcome;
    fact.explored = attempt.explored;
    fact.singleShot = task.plan.singleShot;
    fact.spilled = task.decision.candidates[task.candidate].reason == Reason::Spill;
    fact.durationUs = now - attempt.startedAt;
    if (!isSuccess(attempt.outcome)) return fact;
    fact.ttftUs = attempt.answer.firstOutput;
    fact.inputCached = attempt.answer.cachedTokens;
    fact.inputUncached = task.callPlan.inputTokens - attempt.answer.cachedTokens;
    fact.cacheWrite = 0;
    fact.output = task.callPlan.outputTokens;
    fact.costMicroUsd = costMicroUsd;
    // routing.md section 1: what is too short says nothing.
    constexpr std::int64_t kTokensMin = 16;
    if (fact.output >= kTokensMin) fact.milliTps = attempt.answer.milliTps;
    return fact;
}

} // namespace weir::sim
