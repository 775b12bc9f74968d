// SPDX-License-Identifier: Apache-2.0
#include "common/routing/ladder.h"
#include "common/sim/simulation.h"

#include <algorithm>

namespace weir::sim {
namespace {

/// Contract section 8: as in production.
constexpr Micros kDeadline = 60 * kSecond;

std::int64_t costOf(const Price& price, const CallPlan& call, const Answer& answer)
{
    TokenUsage usage;
    usage.inputCached = answer.cachedTokens;
    // A provider that asks more for prompts it writes to its cache does so for all it did not read.
    const std::int64_t rest = call.inputTokens - answer.cachedTokens;
    const bool writes = price.cacheWrite != price.input;
    usage.inputUncached = writes ? 0 : rest;
    usage.cacheWrite = writes ? rest : 0;
    usage.output = call.outputTokens;
    return costMicroUsd(price, usage).value_or(0);
}

} // namespace

std::size_t Simulation::modelOf(const LiveTask& task) const
{
    return m_recorder.pools()[task.pool].model;
}

const std::vector<ScenarioRung>& Simulation::ladderOf(const LiveTask& task) const
{
    return m_scenario.traffic[task.plan.stream].ladder;
}

std::uint32_t Simulation::takeSlot()
{
    if (m_freeSlots.empty()) {
        m_tasks.emplace_back();
        return static_cast<std::uint32_t>(m_tasks.size() - 1);
    }
    const std::uint32_t slot = m_freeSlots.back();
    m_freeSlots.pop_back();
    return slot;
}

void Simulation::arrive(std::uint32_t source)
{
    const std::uint32_t slot = takeSlot();
    LiveTask& task = m_tasks[slot];
    task.plan = *m_next[source];
    if (m_now < -kWholeBefore) task.plan.agent = 0;
    task.number = m_taskNumber++;
    task.call = 0;
    task.servedBy.reset();
    task.counts = m_now >= 0;
    if (task.counts) m_recorder.taskArrived();
    m_next[source] = m_arrivals[source].next();
    if (m_next[source]) m_queue.add(m_next[source]->at, EventKind::Arrival, source);
    startCall(slot);
}

void Simulation::startCall(std::uint32_t slot)
{
    LiveTask& task = m_tasks[slot];
    task.callPlan = planCall(m_scenario, m_draws, task.plan, task.call);
    task.callStartedAt = m_now;
    task.rung = 0;
    task.log = {};
    if (task.counts) m_recorder.callArrived();
    descend(slot);
}

void Simulation::descend(std::uint32_t slot)
{
    LiveTask& task = m_tasks[slot];
    const std::vector<ScenarioRung>& ladder = ladderOf(task);
    const std::uint32_t tried = task.pool;
    std::optional<routing::RequestEnd> refusal;
    std::optional<std::pair<std::uint32_t, Decision>> passed;
    for (; task.rung < ladder.size(); ++task.rung) {
        // Whatever the state of a model's routes, they come before an answer without a model.
        if (passed && ladder[task.rung].level == kLevelAnswer) break;
        decide(task);
        const bool isOpen = !task.isShed && !task.decision.candidates.empty();
        if (!isOpen && !refusal)
            refusal = task.isShed ? routing::RequestEnd::Shed : routing::RequestEnd::Failed;
        if (!isOpen) continue;
        // Only where it begins is a call choosy.
        const bool isFirst = task.log.attempts == 0 && !task.plan.singleShot;
        if (!isFirst || !task.isPassedOver) return startAttempt(slot);
        if (!passed || routing::isBetterLastResort(task.decision, passed->second))
            passed = {task.rung, task.decision};
    }
    if (passed) {
        task.rung = passed->first;
        task.pool = m_poolOf[task.plan.stream][task.rung];
        task.decision = passed->second;
        return startAttempt(slot);
    }
    // Nothing below took it: what failed above stays the answer.
    if (task.log.attempts > 0) {
        task.pool = tried;
        return endCall(slot, task.attempt.outcome);
    }
    turnAway(slot, *refusal);
}

/// The call ends without any attempt.
void Simulation::turnAway(std::uint32_t slot, routing::RequestEnd why)
{
    LiveTask& task = m_tasks[slot];
    const bool isShed = why == routing::RequestEnd::Shed;
    if (task.counts && isShed) m_recorder.callShed();
    if (task.counts && !isShed) m_recorder.callDropped();
    tellLadder(task, why);
    endCall(slot, Outcome::Overloaded);
}

MayServe Simulation::mayServe(const LiveTask& task) const
{
    MayServe routes;
    for (std::size_t i = 0; i < m_world.routesOf(modelOf(task)); ++i) {
        const RouteRef route{modelOf(task), i};
        const bool isKnown = m_world.at(route).isKnown(m_now);
        if (m_eligibility.of(task.plan.stream, route, isKnown) == Exclusion::None)
            routes.push_back(static_cast<std::uint8_t>(i));
    }
    return routes;
}

void Simulation::decide(LiveTask& task)
{
    task.pool = m_poolOf[task.plan.stream][task.rung];
    task.candidate = 0;
    switch (m_scenario.policy) {
    case SimPolicy::RoundRobin:
        task.decision = chooseRoundRobin(mayServe(task), task);
        return m_fleet.chosen(task);
    case SimPolicy::Oracle:
        task.decision = m_oracle.choose(m_world, modelOf(task), mayServe(task), task, m_now);
        return m_fleet.chosen(task);
    default:
        const bool replaysAlike = m_fleet.decide(task, m_now);
        if (m_now >= 0) m_recorder.decided(replaysAlike);
    }
}

Ask Simulation::askOf(const LiveTask& task, std::uint8_t route) const
{
    Ask ask{
        task.plan.id,
        task.call,
        static_cast<std::uint32_t>(task.log.attempts) + 1,
        task.callPlan.inputTokens,
        task.callPlan.outputTokens,
        -1,
        &m_scenario.traffic[task.plan.stream].regions};
    if (task.servedHere() == route) ask.lastServedAgo = m_now - task.servedAt;
    return ask;
}

bool Simulation::hasNext(const LiveTask& task) const
{
    return !task.plan.singleShot && task.log.failovers < routing::kFailoversMax &&
           task.candidate + 1 < task.decision.candidates.size();
}

/// A step of the ladder is left that the call could still go to.
bool Simulation::hasBelow(const LiveTask& task) const
{
    const std::vector<ScenarioRung>& ladder = ladderOf(task);
    if (task.plan.singleShot || task.rung + 1 >= ladder.size()) return false;
    return routing::mayStepDown(task.log, Outcome::TtftTimeout, ladder[task.rung + 1].level);
}

/// How long the attempt may take to its first output: routing.md section 9, with section 18's
/// bound.
Micros Simulation::patience(const LiveTask& task) const
{
    const Micros remaining = task.callStartedAt + kDeadline - m_now;
    const std::size_t index = task.candidate;
    const std::uint8_t route = task.decision.candidates[index].route;
    Micros limit = remaining;
    if (const Micros slow = m_fleet.slowFrom(task.pool, route); slow > 0)
        limit = std::min(limit, slow);
    if (!hasNext(task)) {
        return hasBelow(task) ? std::max<Micros>(std::min(limit, remaining / 2), 1) : limit;
    }
    // Who comes first must leave the next one the time that it needs to be of use.
    const Micros next = m_fleet.usefulTime(task.pool, task.decision.candidates[index + 1].route);
    const Micros left = next > 0 ? std::max(remaining - next, remaining / 2) : remaining / 2;
    return std::max<Micros>(std::min(limit, left), 1);
}

void Simulation::startAttempt(std::uint32_t slot)
{
    LiveTask& task = m_tasks[slot];
    LiveAttempt& attempt = task.attempt;
    const Candidate& candidate = task.decision.candidates[task.candidate];
    attempt.route = candidate.route;
    attempt.startedAt = m_now;
    attempt.answer =
        m_world.answer({modelOf(task), candidate.route}, askOf(task, candidate.route), m_now);
    attempt.explored = candidate.code == ReasonCode::Explore ||
                       (candidate.code == ReasonCode::Pin && task.pinExplored);
    if (task.counts) m_recorder.attemptStarted(task.pool, candidate.route, m_now, attempt.explored);
    m_fleet.attemptStarted(task, m_now);
    settleAttempt(task);
    const bool answers = isSuccess(attempt.outcome);
    if (answers) m_queue.add(m_now + attempt.answer.firstOutput, EventKind::FirstOutput, slot);
    m_queue.add(attempt.endsAt, EventKind::AttemptEnd, slot);
}

/// What the attempt will come to, between the provider's answer and the client's limits.
void Simulation::settleAttempt(LiveTask& task) const
{
    LiveAttempt& attempt = task.attempt;
    const Answer& answer = attempt.answer;
    const Micros remaining = task.callStartedAt + kDeadline - m_now;
    const Micros limit = patience(task);
    const bool answers = answer.outcome == Outcome::Ok;
    const Micros responds = answers ? answer.firstOutput : answer.end;
    const auto leaves =
        static_cast<Micros>(static_cast<double>(responds) * task.callPlan.leavesAfter);
    if (answers && task.callPlan.leavesAfter > 0.0 && leaves < limit) {
        attempt.outcome = Outcome::ClientCancelled;
        attempt.endsAt = m_now + leaves;
    } else if (responds > limit) {
        attempt.outcome = limit >= remaining ? Outcome::Deadline : Outcome::TtftTimeout;
        attempt.endsAt = m_now + limit;
    } else {
        attempt.outcome = answer.outcome;
        if (answers && task.callPlan.endsByLength) attempt.outcome = Outcome::Length;
        attempt.endsAt = m_now + answer.end;
    }
}

void Simulation::beginOutput(std::uint32_t slot)
{
    m_fleet.firstOutput(m_tasks[slot], m_now);
}

void Simulation::endAttempt(std::uint32_t slot)
{
    LiveTask& task = m_tasks[slot];
    const LiveAttempt& attempt = task.attempt;
    const RouteRef route{modelOf(task), attempt.route};
    std::int64_t cost = 0;
    if (isSuccess(attempt.outcome)) {
        cost = costOf(m_world.at(route).shape().price, task.callPlan, attempt.answer);
        task.servedBy = attempt.route;
        task.servedPool = task.pool;
        task.servedAt = m_now;
    } else if (m_now < attempt.startedAt + attempt.answer.queued) {
        m_world.at(route).leaveLine(m_now);
    }
    if (task.counts) record(task, cost);
    m_fleet.attemptEnded(task, cost, m_now);
    const routing::NextStep step = m_fleet.nextStep(task, outlookOf(task), m_now);
    const Micros deadline = task.callStartedAt + kDeadline;
    const bool stepsDown = step == routing::NextStep::Stop && mayFailOver(attempt.outcome) &&
                           hasBelow(task) && m_now < deadline;
    routing::note(task.log, stepsDown ? routing::NextStep::NextRoute : step);
    if (stepsDown) {
        ++task.rung;
        return descend(slot);
    }
    if (step == routing::NextStep::Stop) return endCall(slot, attempt.outcome);
    if (step == routing::NextStep::SameRoute) {
        return m_queue.add(m_now + m_fleet.retryDelay(task), EventKind::AttemptStart, slot);
    }
    ++task.candidate;
    startAttempt(slot);
}

routing::Outlook Simulation::outlookOf(const LiveTask& task) const
{
    routing::Outlook outlook;
    outlook.singleShot = task.plan.singleShot;
    outlook.hasNext = hasNext(task);
    outlook.remainingMs = (task.callStartedAt + kDeadline - m_now) / 1000;
    const std::uint32_t next = outlook.hasNext ? task.candidate + 1 : task.candidate;
    outlook.nextIsSound = task.decision.candidates[next].reason != Reason::LastResort;
    outlook.usefulMs = m_fleet.usefulTime(task.pool, task.decision.candidates[next].route) / 1000;
    return outlook;
}

void Simulation::record(const LiveTask& task, std::int64_t costMicroUsd)
{
    const LiveAttempt& attempt = task.attempt;
    const bool answered = isSuccess(attempt.outcome);
    m_recorder.attemptEnded(
        {task.pool,
         attempt.route,
         attempt.startedAt,
         attempt.outcome,
         answered ? attempt.answer.firstOutput : -1,
         costMicroUsd});
}

void Simulation::endCall(std::uint32_t slot, Outcome outcome)
{
    LiveTask& task = m_tasks[slot];
    const bool isServed = isSuccess(outcome) || isNeutral(outcome);
    if (task.log.attempts > 0)
        tellLadder(task, isServed ? routing::RequestEnd::Served : routing::RequestEnd::Failed);
    if (!task.counts) {
        // Before the scenario began.
    } else if (outcome == Outcome::BadRequest) {
        m_recorder.callerFailed();
    } else if (!isServed && task.log.attempts > 0) {
        m_recorder.callFailed(task.plan.singleShot);
        m_fleet.userFailed(task);
    }
    if (++task.call < task.plan.calls) {
        const auto gap = static_cast<Micros>(m_scenario.traffic[task.plan.stream].gapS * 1e6);
        return m_queue.add(m_now + gap, EventKind::CallStart, slot);
    }
    if (task.counts) m_recorder.taskEnded(m_now - task.plan.at);
    m_freeSlots.push_back(slot);
}

/// What the caller has seen of the ladder.
void Simulation::tellLadder(const LiveTask& task, routing::RequestEnd end)
{
    if (!task.counts || !m_scenario.isGraded()) return;
    const TrafficStream& stream = m_scenario.traffic[task.plan.stream];
    const std::size_t rung = std::min<std::size_t>(task.rung, stream.ladder.size() - 1);
    routing::LadderFact fact;
    fact.startedMs = epochMsOf(m_scenario, task.callStartedAt);
    fact.taskType = stream.taskType;
    fact.batch = stream.batch;
    fact.end = end;
    fact.level = stream.ladder[rung].level;
    if (task.log.attempts > 0 && isSuccess(task.attempt.outcome)) {
        const Micros first = task.attempt.startedAt + task.attempt.answer.firstOutput;
        fact.ttftMs = (first - task.callStartedAt) / 1000;
    }
    m_recorder.callEnded(fact);
}

} // namespace weir::sim
