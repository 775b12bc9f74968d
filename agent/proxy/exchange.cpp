// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/exchange.h"

#include "agent/net/clock.h"
#include "agent/net/pause.h"
#include "agent/proxy/failure_answer.h"
#include "agent/proxy/models.h"
#include "common/base/text.h"

#include <algorithm>
#include <array>

namespace weir::proxy {
namespace {

/// routing.md section 9: at most two failovers, each to another provider.
constexpr std::size_t kAttemptsMax = 3;

protocol::ApiError badField(const std::string& name)
{
    protocol::ApiError error;
    error.status = 400;
    error.type = "invalid_request_error";
    error.code = "bad_header";
    error.param = name;
    error.message = "Invalid value of the header '" + name + "': expected score, price or speed.";
    return error;
}

std::string hex(std::uint64_t value)
{
    std::string text;
    appendHex(text, value, 16);
    return text;
}

} // namespace

Exchange::Exchange(Service& service, net::Stream& client, ClientRequest request, BodyBuffer body)
    : m_service(service)
    , m_client(client)
    , m_request(std::move(request))
    , m_body(std::move(body))
    , m_runtime(service.runtime())
    , m_control(service.control())
    , m_answer(client, m_runtime->config->limits.clientWriteStall)
    , m_started(net::monotonicNow())
{
    m_identity.requestId = m_service.newRequestId();
    m_fields.requestId = m_identity.requestId;
    m_fields.mode = m_control->effectiveMode;
}

net::Task<bool> Exchange::run()
{
    if (!m_request.badField.empty()) {
        refuse(badField(m_request.badField));
        co_return co_await answer();
    }
    auto facts =
        protocol::readRequest(protocol::conversationApi(m_request.protocol), m_body.view());
    if (!facts) {
        refuse(facts.error());
        co_return co_await answer();
    }
    m_facts = std::move(*facts);
    m_model = findModel();
    if (m_model == nullptr || !decide()) co_return co_await answer();
    m_watch.emplace(
        m_service.worker().sweep(),
        m_client,
        [this] { return m_request.versionMinor >= 1 && !m_answer.begun(); },
        [this] {
            m_clientGone = true;
            if (m_attempt != nullptr) m_attempt->cancel();
        });
    co_await attempts();
    m_watch.reset();
    if (m_answer.begun()) {
        // What was begun and did not end well can only be closed.
        co_return m_results.back().outcome != Outcome::ClientCancelled && !m_answer.broken() &&
            isSuccess(m_results.back().outcome) && keepAlive();
    }
    if (m_clientGone) co_return false;
    settle();
    co_return co_await answer();
}

const ModelRuntime* Exchange::findModel()
{
    const Config& config = *m_runtime->config;
    const auto task = config.tasks.find(m_request.taskType);
    m_task = task != config.tasks.end() ? &task->second : &config.tasks.at("default");
    m_identity.taskType = m_request.taskType.empty() ? "default" : m_request.taskType;
    m_identity.taskId = m_request.taskId;

    std::string name = m_facts.model;
    if ((name.empty() || name == "auto") && !m_task->models.empty()) name = m_task->models.front();
    auto model = m_runtime->models.find(name);
    for (const std::string& other : m_facts.wishes.models) {
        if (model != m_runtime->models.end()) break;
        model = m_runtime->models.find(other);
    }
    if (model == m_runtime->models.end()) {
        protocol::ApiError error;
        error.status = 404;
        error.type = "invalid_request_error";
        error.code = "model_not_found";
        error.param = "model";
        error.message = "The model '" + cleaned(name) +
                        "' is not served here. Known models: " + modelNames(config) + ".";
        refuse(std::move(error));
        return nullptr;
    }
    m_identity.model = model->first;
    return &model->second;
}

bool Exchange::decide()
{
    m_identity.singleShot = m_request.singleShot || m_facts.singleShot;
    const std::string& hint =
        !m_request.conversation.empty() ? m_request.conversation : m_facts.conversationHint;
    const HashKey& key = m_service.shared().conversationKey;
    m_identity.conversation = hex(sipHash(key, hint.empty() ? hex(m_facts.promptHash) : hint));
    const std::chrono::milliseconds deadline = m_request.deadline.value_or(m_task->deadline);
    m_deadline = m_started + deadline;
    m_choice = chooseRoute(
        {m_service,
         m_runtime,
         *m_control,
         m_request,
         m_facts,
         *m_model,
         m_identity,
         deadline,
         m_started,
         net::utcNow()});
    auto& candidates = m_choice.decision.candidates;
    if (candidates.empty()) {
        protocol::ApiError error;
        error.status = 400;
        error.type = "invalid_request_error";
        error.code = "no_eligible_route";
        error.message = "No route of model '" + m_model->name +
                        "' may serve this request:" + m_choice.exclusions + '.';
        refuse(std::move(error));
        return false;
    }
    if (candidates.size() > kAttemptsMax) candidates.resize(kAttemptsMax);
    return true;
}

net::Task<> Exchange::attempts()
{
    for (std::size_t i = 0; i < m_choice.decision.candidates.size();) {
        AttemptTimes times;
        times.startedAt = net::utcNow();
        times.started = m_results.empty() ? m_started : net::monotonicNow();
        AttemptResult result = co_await attempt(i, times.started);
        m_results.push_back(std::move(result));
        m_tried.push_back(i);
        times.ended = net::monotonicNow();
        if (m_results.back().outcome == Outcome::ContextOverflow) {
            dropSmallerWindows(m_model->routes[m_choice.decision.candidates[i].route], i + 1);
        }
        const routing::NextStep step = nextStep(i, times);
        routing::note(m_log, step);
        conclude(i, times, step == routing::NextStep::Stop);
        if (step == routing::NextStep::Stop) co_return;
        if (step == routing::NextStep::NextRoute) {
            ++i;
            continue;
        }
        const Duration delay = retryDelay();
        co_await net::pauseFor(delay);
        if (m_clientGone || m_stopped) co_return;
    }
}

net::Task<AttemptResult> Exchange::attempt(std::size_t index, Instant started)
{
    const Candidate candidate = m_choice.decision.candidates[index];
    const RouteRuntime& route = m_model->routes[candidate.route];
    m_fields.provider = route.config.provider;
    m_fields.route = route.name;
    m_fields.reason = candidate.reason;
    m_fields.attempts = m_log.attempts + 1;

    fleet::RouteState::Flight flight(*route.state, started);
    const AttemptContext context{
        m_service,
        m_request,
        m_facts,
        m_body,
        m_answer,
        m_fields,
        m_runtime->config->limits,
        flight};
    Attempt attempt(context, route, limitsFor(index, started));
    m_attempt = &attempt;
    AttemptResult result = co_await attempt.run();
    m_attempt = nullptr;
    const auto hint = result.failure ? result.failure->retryAfter : std::nullopt;
    flight.ended(result.outcome, hint.value_or(std::chrono::milliseconds{0}), net::monotonicNow());
    co_return result;
}

/// Remembers who serves this conversation, which only a success changes.
void Exchange::learn(std::size_t index, const AttemptResult& result, const AttemptTimes& times)
{
    if (!isSuccess(result.outcome)) return;
    const Candidate candidate = m_choice.decision.candidates[index];
    Conversations& conversations = m_service.shared().conversations;
    const bool stays = candidate.reason == Reason::Pinned && m_choice.pinExplored;
    conversations.served(
        m_choice.conversation,
        {m_model->routes[candidate.route].state->id(),
         candidate.reason == Reason::Explore || stays,
         epochMs(times.startedAt)});
    conversations.succeeded();
}

/// Lets the ledger know.
void Exchange::conclude(std::size_t index, const AttemptTimes& times, bool last)
{
    const Candidate candidate = m_choice.decision.candidates[index];
    const RouteRuntime& route = m_model->routes[candidate.route];
    const AttemptResult& result = m_results.back();
    learn(index, result, times);
    CallRecord record = makeRecord(
        m_identity,
        *m_control,
        m_choice,
        route,
        candidate,
        m_fields.attempts,
        times,
        result,
        m_facts.stream);
    record.agentId = m_service.shared().agentId;
    record.service = m_runtime->config->agent.service;
    record.last = last;
    m_service.shared().recorder.record(std::move(record));
}

AttemptLimits Exchange::limitsFor(std::size_t index, Instant now) const
{
    const auto& candidates = m_choice.decision.candidates;
    const RouteRuntime& route = m_model->routes[candidates[index].route];
    const auto left = static_cast<Duration::rep>(candidates.size() - index);
    // Who comes first must leave the others their share of the time, or one that hangs would use it
    // up.
    Instant share = now + (m_deadline - now) / left;
    Instant provider = now + route.provider->config.ttftTimeout;
    if (const auto known = m_choice.patience[candidates[index].route].ttftMax) {
        provider = std::min(provider, now + *known);
        // With the speeds known, what the next one needs is enough.
        if (left > 1) share = m_deadline - m_choice.patience[candidates[index + 1].route].usefulMin;
    }
    AttemptLimits limits;
    limits.firstOutput = std::max(std::min(share, provider), now);
    limits.isDeadline = left == 1 && m_deadline <= provider;
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
    if (m_answer.begun() || m_clientGone || m_stopped) return routing::NextStep::Stop;
    routing::FailedAttempt failed;
    failed.outcome = result.outcome;
    failed.httpStatus = result.httpStatus.value_or(0);
    failed.hasRetryAfter = result.failure && result.failure->retryAfter;
    failed.probe = candidates[index].code == ReasonCode::Probe;
    failed.tookMs =
        std::chrono::duration_cast<std::chrono::milliseconds>(times.ended - times.started).count();
    routing::Outlook outlook;
    outlook.singleShot = m_identity.singleShot;
    outlook.hasNext = index + 1 < candidates.size();
    const Candidate& next = candidates[outlook.hasNext ? index + 1 : index];
    outlook.nextIsSound = next.reason != Reason::LastResort;
    outlook.usefulMs = m_choice.patience[next.route].usefulMin.count();
    outlook.remainingMs =
        std::chrono::duration_cast<std::chrono::milliseconds>(m_deadline - times.ended).count();
    return m_service.shared().conversations.nextStep(m_log, failed, outlook);
}

Duration Exchange::retryDelay() const
{
    const routing::Coin coin(
        m_choice.seed,
        routing::coinKeyOf(m_service.shared().conversationKey, "r:" + m_identity.requestId));
    return std::chrono::milliseconds{routing::retryDelayMs(coin, m_log.attempts)};
}

void Exchange::refuse(protocol::ApiError error)
{
    m_status = error.status;
    m_document.append(protocol::errorBody(m_request.protocol, error));
}

/// Makes the answer out of what the attempts brought.
void Exchange::settle()
{
    AttemptResult& last = m_results.back();
    if (last.hasAnswer && !last.failure) {
        m_status = last.httpStatus.value_or(200);
        m_contentType = std::move(last.contentType);
        m_passed = std::move(last.passed);
        m_document = std::move(last.answer);
        return;
    }
    const std::size_t telling = m_stopped ? m_results.size() - 1 : mostTelling(m_results);
    const std::size_t candidate = m_tried[telling];
    const RouteRuntime& route = m_model->routes[m_choice.decision.candidates[candidate].route];
    AttemptResult& result = m_results[telling];
    const Advice advice = adviceFor(m_results, telling);
    m_fields.retryAfter = advice.retryAfter;
    m_fields.shouldRetry = advice.shouldRetry;
    FailureAnswer answer = failureAnswer(m_request.protocol, route.provider->config, result);
    m_status = answer.status;
    m_contentType = std::move(answer.contentType);
    m_passed = std::move(answer.passed);
    m_document.append(answer.body);
    m_fields.provider = route.config.provider;
    m_fields.route = route.name;
}

bool Exchange::keepAlive() const
{
    return m_request.keepAlive && !m_stopped &&
           !m_service.shared().draining.load(std::memory_order_relaxed);
}

net::Task<bool> Exchange::answer()
{
    const bool keep = keepAlive();
    const AnswerFraming framing{m_document.size(), m_request.versionMinor, keep};
    m_answer.begin(
        answerHead(m_status, m_contentType, m_fields, framing, m_passed),
        ClientAnswer::Framing::Raw);
    const std::array<std::string_view, 1> pieces = {m_document.view()};
    m_answer.write(pieces, true);
    if (m_answer.blocked()) {
        m_document.release();
        co_await m_answer.flush(m_started + m_runtime->config->limits.total);
    }
    co_return keep && !m_answer.broken();
}

void Exchange::stop()
{
    m_stopped = true;
    m_answer.giveUp();
    if (m_attempt != nullptr) m_attempt->stop();
}

} // namespace weir::proxy
