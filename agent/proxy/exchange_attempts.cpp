// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"
#include "agent/net/pause.h"
#include "agent/proxy/continued_request.h"
#include "agent/proxy/exchange_running.h"
#include "agent/proxy/failure_answer.h"
#include "agent/proxy/token_load.h"

#include <algorithm>
#include <array>
#include <utility>

// The half of an exchange that tries routes until one has answered.

namespace weir::proxy {
namespace {

std::int64_t ms(Duration duration)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

/// A provider that has not spoken for so long may be blamed, however short the caller's deadline.
constexpr std::chrono::seconds kFairWait{1};

bool hasWon(const AttemptResult& result)
{
    return isSuccess(result.outcome) || (result.hasAnswer && !result.failure);
}

} // namespace

Exchange::Running::Running(
    Exchange& exchange, std::size_t at, int count, Instant startedAt, fleet::Slot leave)
    : index(at)
    , number(count)
    , times{net::utcNow(), startedAt, {}}
    , drill(exchange.drillFor(at))
    , fields(exchange.m_fields)
    , slot(std::move(leave))
    , flight(
          *exchange.m_model->routes[exchange.m_choice.decision.candidates[at].route].state,
          startedAt,
          exchange.m_choice.expectedTokens)
    , attempt(
          {exchange.m_service,
           exchange.m_request,
           exchange.m_facts,
           *exchange.m_translation,
           exchange.m_body,
           exchange.m_answer,
           fields,
           *exchange.m_runtime->config,
           exchange.m_task->midStream,
           exchange.m_resumes,
           exchange.m_spentMicroUsd,
           flight,
           [this, &exchange] { exchange.cancelOthers(*this); },
           exchange.m_mirrorSeat ? kMirrorTextMax : 0,
           drill},
          exchange.m_model->routes[exchange.m_choice.decision.candidates[at].route],
          exchange.limitsFor(at, startedAt))
{
    const Candidate candidate = exchange.m_choice.decision.candidates[at];
    const RouteRuntime& route = exchange.m_model->routes[candidate.route];
    fields.provider = route.config.provider;
    fields.route = route.name;
    fields.reason = candidate.reason;
    fields.attempts = number;
    exchange.m_running.push_back(this);
}

net::Task<> Exchange::attempts()
{
    const bool isBatch = m_identity.priority == Priority::Batch;
    m_stepsDown = false;
    for (std::size_t i = 0; i < m_choice.decision.candidates.size();) {
        fleet::Slot slot = slotsOf(i).tryTake();
        if (!slot) slot = co_await m_slotWait.take(slotsOf(i), isBatch, longestWait(i));
        if (m_clientGone || m_stopped) break;
        if (!slot) {
            passOver(i++);
            m_stepsDown = i == m_choice.decision.candidates.size() && mayStepDown();
            continue;
        }
        tellUnsure(false);
        const bool mayHedge = i == 0 && m_results.empty() && m_choice.hedgeAfter;
        if (mayHedge) {
            co_await race(std::move(slot));
        } else {
            co_await attempt(i, std::move(slot));
        }
        i = m_tried.back().index;
        const AttemptTimes times = m_tried.back().times;
        if (m_results.back().outcome == Outcome::ContextOverflow) {
            dropSmallerWindows(*m_tried.back().route, i + 1);
        }
        routing::NextStep step = nextStep(i, times);
        const bool goesOn = step != routing::NextStep::Stop && m_answer.begun();
        if (goesOn && !goOnElsewhere(i + 1)) step = routing::NextStep::Stop;
        m_stepsDown = step == routing::NextStep::Stop && mayStepDown();
        routing::note(m_log, m_stepsDown ? routing::NextStep::NextRoute : step);
        const bool isOver = step == routing::NextStep::Stop;
        // While it waits, for a place or for a second try, its client may leave.
        const bool waits = step == routing::NextStep::SameRoute ||
                           (step == routing::NextStep::NextRoute && slotsOf(i + 1).isLimited());
        const Follows unless = isOver ? Follows::Nothing : Follows::Something;
        conclude(m_results.size() - 1, m_stepsDown || waits ? Follows::Perhaps : unless);
        if (isOver) break;
        if (step == routing::NextStep::NextRoute) {
            ++i;
            continue;
        }
        const Duration delay = retryDelay();
        co_await net::pauseFor(delay);
        if (m_clientGone || m_stopped) break;
    }
    tellBreak();
    if (m_answer.blocked()) co_await m_answer.flush(m_started + m_runtime->config->limits.total);
}

net::Task<> Exchange::attempt(std::size_t index, fleet::Slot slot)
{
    const Instant now = startOf(index);
    Running running(*this, index, m_log.attempts + 1, now, std::move(slot));
    AttemptResult result = co_await running.attempt.run();
    running.result = std::move(result);
    running.times.ended = net::monotonicNow();
    keep(running);
}

/// The first candidate, and if it stays silent the second one too: who has output first answers,
/// the other is cancelled. Both are kept, the one that decides last.
net::Task<> Exchange::race(fleet::Slot slot)
{
    Running first(*this, 0, m_log.attempts + 1, startOf(0), std::move(slot));
    std::optional<Running> second;
    net::asio::steady_timer ended(m_service.worker().io());
    ended.expires_after(*m_choice.hedgeAfter);
    m_service.worker().tasks().spawn(runAside(first, ended));
    for (;;) {
        const auto waited = co_await ended.async_wait(net::kAwait);
        static_cast<void>(waited);
        const bool isOver = first.result && (!second || second->result);
        if (isOver) break;
        ended.expires_at(net::asio::steady_timer::time_point::max());
        const bool mayStart =
            !second && !first.result && !first.attempt.hasOutput() && !m_clientGone && !m_stopped;
        if (!mayStart) continue;
        fleet::Slot other = slotsOf(1).tryTake();
        if (!other || !m_service.shared().conversations.takeHedge()) continue;
        second.emplace(*this, 1, m_log.attempts + 2, net::monotonicNow(), std::move(other));
        first.hedged = second->hedged = true;
        m_service.worker().tasks().spawn(runAside(*second, ended));
    }
    if (!second) {
        keep(first);
        co_return;
    }
    const bool firstDecides = hasWon(*first.result);
    Running& loser = firstDecides ? *second : first;
    keep(loser);
    routing::note(m_log, routing::NextStep::NextRoute);
    conclude(m_results.size() - 1, Follows::Something);
    keep(firstDecides ? first : *second);
}

net::Task<> Exchange::runAside(Running& running, net::asio::steady_timer& ended)
{
    AttemptResult result = co_await running.attempt.run();
    running.result = std::move(result);
    running.times.ended = net::monotonicNow();
    if (hasWon(*running.result)) cancelOthers(running);
    ended.cancel();
}

/// An attempt has ended: its route's gate hears of it, and its result is kept.
void Exchange::keep(Running& running)
{
    std::erase(m_running, &running);
    AttemptResult& result = *running.result;
    const auto hint = result.failure ? result.failure->retryAfter : std::nullopt;
    // A caller who gives nobody the time to answer says nothing of the route.
    const Outcome seen = result.isHasty ? Outcome::ClientCancelled : result.outcome;
    running.flight.took(usedTokens(result, m_choice.expectedTokens), running.times.ended);
    running.flight.ended(seen, hint.value_or(std::chrono::milliseconds{0}), running.times.ended);
    m_fields.provider = running.fields.provider;
    m_fields.route = running.fields.route;
    m_fields.reason = running.fields.reason;
    m_fields.attempts = std::max(m_fields.attempts, running.number);
    const Candidate candidate = m_choice.decision.candidates[running.index];
    m_tried.push_back(
        {&m_model->routes[candidate.route],
         candidate,
         running.index,
         running.number,
         running.hedged,
         running.times});
    m_results.push_back(std::move(result));
}

void Exchange::cancelOthers(const Running& winner)
{
    for (Running* const running : m_running) {
        if (running != &winner) running->attempt.cancel();
    }
}

/// Remembers who serves this conversation, which only a success changes.
void Exchange::learn(const Tried& tried, const AttemptResult& result)
{
    if (!isSuccess(result.outcome) || m_identity.eval) return;
    Conversations& conversations = m_service.shared().conversations;
    const bool stays = tried.candidate.reason == Reason::Pinned && m_choice.pinExplored;
    conversations.served(
        m_choice.conversation,
        {tried.route->state->id(),
         tried.candidate.reason == Reason::Explore || stays,
         epochMs(tried.times.startedAt)});
    conversations.succeeded();
}

/// Lets the ledger know.
void Exchange::conclude(std::size_t result, Follows follows)
{
    const Tried& tried = m_tried[result];
    learn(tried, m_results[result]);
    CallRecord record = makeRecord(
        m_identity,
        *m_control,
        m_choice,
        *tried.route,
        tried.candidate,
        tried.number,
        tried.times,
        m_results[result],
        m_facts.stream);
    record.decision = std::exchange(m_choice.record, {});
    record.level = m_ladder[m_rung].level;
    if (m_drill) record.flags |= static_cast<std::uint16_t>(CallFlag::Drill);
    if (tried.hedged) record.flags |= static_cast<std::uint16_t>(CallFlag::Hedged);
    record.last = follows == Follows::Nothing;
    m_spentMicroUsd += record.costMicroUsd.value_or(0);
    if (follows == Follows::Perhaps)
        m_unsure = std::move(record);
    else
        m_service.shared().recorder.record(std::move(record));
}

AttemptLimits Exchange::limitsFor(std::size_t index, Instant now) const
{
    const auto& candidates = m_choice.decision.candidates;
    const RouteRuntime& route = m_model->routes[candidates[index].route];
    const std::size_t below = m_ladder.size() - 1 - m_rung;
    const auto left = static_cast<Duration::rep>(candidates.size() - index + below);
    // Who comes first must leave the others their share of the time, or one that hangs would use it
    // up.
    Instant share = now + (m_deadline - now) / left;
    Instant provider = now + route.provider->config.ttftTimeout;
    // Who is the last has all the time that is left, however fast it usually is.
    if (const auto known = m_choice.patience[candidates[index].route].ttftMax; known && left > 1) {
        provider = std::min(provider, now + *known);
        // With the speeds known, what the next one needs is enough.
        if (index + 1 < candidates.size()) {
            share = m_deadline - m_choice.patience[candidates[index + 1].route].usefulMin;
        }
    }
    AttemptLimits limits;
    limits.firstOutput = std::max(std::min(share, provider), now);
    limits.isDeadline = left == 1 && m_deadline <= provider;
    const Duration fair =
        std::max<Duration>(kFairWait, 2 * m_choice.patience[candidates[index].route].usefulMin);
    limits.isHasty = share < provider && share - now < fair;
    limits.total = m_started + m_runtime->config->limits.total;
    return limits;
}

void Exchange::dropSmallerWindows(const RouteRuntime& than, std::size_t after)
{
    auto* const first = m_choice.decision.candidates.begin() + after;
    const auto tooSmall = [this, &than](const Candidate& candidate) {
        return m_model->routes[candidate.route].config.contextTokens <= than.config.contextTokens;
    };
    auto* const kept = std::remove_if(first, m_choice.decision.candidates.end(), tooSmall);
    m_choice.decision.candidates.resize(
        static_cast<std::size_t>(kept - m_choice.decision.candidates.begin()));
}

routing::NextStep Exchange::nextStep(std::size_t index, const AttemptTimes& times)
{
    const auto& candidates = m_choice.decision.candidates;
    const AttemptResult& result = m_results.back();
    const bool isLost = m_answer.begun() && (!result.unfinished || m_resumes);
    if (isLost || m_clientGone || m_stopped) return routing::NextStep::Stop;
    // An answer had begun in time; the next one gets the time for its own first output.
    if (result.firstOutput && !hasWon(result)) extendDeadline(times.ended);
    routing::FailedAttempt failed;
    failed.outcome = result.outcome;
    // Only a part of the caller's time is over: the others may use what is left.
    if (result.isHasty && times.ended < m_deadline) failed.outcome = Outcome::TtftTimeout;
    failed.httpStatus = result.httpStatus.value_or(0);
    if (result.failure && result.failure->retryAfter) {
        failed.retryAfterMs = result.failure->retryAfter->count();
    }
    failed.probe = candidates[index].code == ReasonCode::Probe;
    failed.replayed = result.replayed;
    failed.tookMs = ms(times.ended - times.started);
    routing::Outlook outlook;
    outlook.singleShot = m_identity.singleShot;
    outlook.hasNext = index + 1 < candidates.size();
    const Candidate& next = candidates[outlook.hasNext ? index + 1 : index];
    outlook.nextIsSound = next.reason != Reason::LastResort;
    outlook.usefulMs = m_choice.patience[next.route].usefulMin.count();
    outlook.remainingMs = ms(m_deadline - times.ended);
    return m_service.shared().conversations.nextStep(m_log, failed, outlook);
}

/// Makes the request one for the rest of the answer. False where no route from `index` on can go on
/// from the text that the client has; once only.
bool Exchange::goOnElsewhere(std::size_t index)
{
    auto& candidates = m_choice.decision.candidates;
    auto* const from = candidates.begin() + std::min(index, candidates.size());
    auto* const next = std::find_if(from, candidates.end(), [this](const Candidate& candidate) {
        return m_model->routes[candidate.route].can("prefill");
    });
    if (m_resumes || next == candidates.end()) return false;
    std::rotate(from, next, next + 1);
    const RouteRuntime& route = m_model->routes[from->route];
    BodyBuffer body = continuedRequest(
        m_body.view(), *m_results.back().unfinished, route.provider->config.protocol);
    const protocol::Api api = apiOf(m_request.endpoint);
    auto facts = protocol::readRequest(api, body.view());
    if (body.size() == 0 || !facts) return false;
    m_body = std::move(body);
    m_facts = std::move(*facts);
    m_identity.promptEstimate = protocol::promptEstimate(m_facts.shape);
    m_translation.emplace(api, m_body.view());
    m_resumes = true;
    return true;
}

/// Tells the client of a stream, in its protocol, that the answer ends here unfinished; no
/// terminator follows (wire cases B057, B058).
void Exchange::tellBreak()
{
    if (m_results.empty()) return;
    const AttemptResult& last = m_results.back();
    const bool isCut = last.isCut || (m_resumes && !isSuccess(last.outcome));
    if (!isCut || !m_answer.begun() || m_answer.broken()) return;
    protocol::ApiError error;
    error.status = 502;
    error.code = "stream_broken";
    error.message = last.detail;
    if (error.message.empty() && last.failure) error.message = last.failure->error.message;
    if (error.message.empty() || quotesKey(m_runtime->config->providers, error.message)) {
        error.message = "the provider's answer broke off";
    }
    const std::string event = protocol::errorEvent(apiOf(m_request.endpoint), error);
    const std::array<std::string_view, 1> pieces = {event};
    m_answer.write(pieces, false);
}

void Exchange::extendDeadline(Instant from)
{
    if (m_isExtended) return;
    m_isExtended = true;
    m_deadline = from + timeAllowed();
}

std::chrono::milliseconds Exchange::timeAllowed() const
{
    return m_request.deadline.value_or(m_task->deadline);
}

Duration Exchange::retryDelay() const
{
    const routing::Coin coin(
        m_choice.seed,
        routing::coinKeyOf(m_service.shared().conversationKey, "r:" + m_identity.requestId));
    const auto& failure = m_results.back().failure;
    std::optional<std::int64_t> hint;
    if (failure && failure->retryAfter) hint = failure->retryAfter->count();
    return std::chrono::milliseconds{routing::retryDelayMs(coin, m_log.attempts, hint)};
}

} // namespace weir::proxy
