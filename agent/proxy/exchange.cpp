// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/exchange.h"

#include "agent/net/clock.h"
#include "agent/proxy/failure_answer.h"
#include "agent/proxy/models.h"
#include "common/base/text.h"
#include "common/routing/decide.h"
#include "common/routing/eligible.h"
#include "common/routing/fixed_order.h"

#include <algorithm>
#include <array>

namespace weir::proxy {
namespace {

/// routing.md section 9: at most two failovers, each to another provider.
constexpr std::size_t kAttemptsMax = 3;
/// With less than this before the deadline no route can answer.
constexpr std::chrono::milliseconds kUsefulMin{20};

/// "us, eu" → {"us", "eu"}: views into `list`.
std::vector<std::string_view> words(std::string_view list)
{
    std::vector<std::string_view> result;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        const std::string_view word = trimmed(list.substr(0, comma));
        if (!word.empty()) result.push_back(word);
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return result;
}

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
    auto facts = protocol::readRequest(m_request.protocol, m_body.view());
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
    const auto model = m_runtime->models.find(name);
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

    routing::Demands demands;
    demands.protocol = m_request.protocol;
    if (m_facts.stream) demands.capabilities.emplace_back("stream");
    if (m_facts.needs.tools) demands.capabilities.emplace_back("tools");
    if (m_facts.needs.images) demands.capabilities.emplace_back("images");
    if (m_facts.needs.jsonSchema) demands.capabilities.emplace_back("json_schema");
    demands.regions = words(m_request.regions);
    demands.terms = words(m_request.terms);

    // Without a row that moves or disables one, the file's own order is known already.
    const bool asConfigured = !m_control->decisions || m_control->decisions->routes.empty();
    std::vector<std::string> order;
    if (!asConfigured) {
        order = routing::fixedOrder(
            m_runtime->config->models.at(m_model->name), m_control->decisions->routes);
    }
    DecisionInput input;
    input.mode = m_control->effectiveMode == EffectiveMode::Failsafe ? EffectiveMode::Failsafe
                                                                     : EffectiveMode::Fixed;
    input.singleShot = m_identity.singleShot;
    for (const RouteRuntime& route : m_model->routes) {
        const auto place = std::find(order.begin(), order.end(), route.config.provider);
        const bool enabled = asConfigured || place != order.end();
        const auto position =
            asConfigured ? route.fixedPosition : static_cast<std::size_t>(place - order.begin());
        RouteOption option;
        option.exclusion =
            routing::exclusionOf(route.config, route.provider->config.protocol, enabled, demands);
        option.fixedPosition = static_cast<std::uint16_t>(position);
        option.gate = routing::gateOf(route.state->hold(), m_started);
        input.routes.push_back(option);
    }
    m_decision = routing::decide({}, input);
    if (m_decision.candidates.empty()) {
        protocol::ApiError error;
        error.status = 400;
        error.type = "invalid_request_error";
        error.code = "no_eligible_route";
        error.message = noRouteText(input);
        refuse(std::move(error));
        return false;
    }
    if (m_decision.candidates.size() > kAttemptsMax) m_decision.candidates.resize(kAttemptsMax);
    m_deadline = m_started + m_request.deadline.value_or(m_task->deadline);
    return true;
}

std::string Exchange::noRouteText(const DecisionInput& input) const
{
    std::string text = "No route of model '" + m_model->name + "' may serve this request:";
    for (std::size_t i = 0; i < input.routes.size(); ++i) {
        text += (i == 0 ? " " : "; ") + m_model->routes[i].name + " is excluded by ";
        text += routing::describe(input.routes[i].exclusion);
    }
    return text + '.';
}

net::Task<> Exchange::attempts()
{
    for (std::size_t i = 0; i < m_decision.candidates.size(); ++i) {
        AttemptTimes times;
        times.startedAt = net::utcNow();
        times.started = i == 0 ? m_started : net::monotonicNow();
        AttemptResult result = co_await attempt(i, times.started);
        m_results.push_back(std::move(result));
        times.ended = net::monotonicNow();
        if (m_results.back().outcome == Outcome::ContextOverflow) {
            dropSmallerWindows(m_model->routes[m_decision.candidates[i].route], i + 1);
        }
        const bool last = !mayTryNext(m_results.back(), i + 1);
        conclude(i, times, last);
        if (last) co_return;
    }
}

net::Task<AttemptResult> Exchange::attempt(std::size_t index, Instant started)
{
    const Candidate candidate = m_decision.candidates[index];
    const RouteRuntime& route = m_model->routes[candidate.route];
    m_fields.provider = route.config.provider;
    m_fields.route = route.name;
    m_fields.reason = candidate.reason;
    m_fields.attempts = static_cast<int>(index) + 1;

    const AttemptContext context{
        m_service, m_request, m_facts, m_body, m_answer, m_fields, m_runtime->config->limits};
    Attempt attempt(context, route, limitsFor(index, started));
    m_attempt = &attempt;
    const RouteState::Flight flight(*route.state);
    AttemptResult result = co_await attempt.run();
    m_attempt = nullptr;
    co_return result;
}

/// Lets the route's state and the ledger know.
void Exchange::conclude(std::size_t index, const AttemptTimes& times, bool last)
{
    const Candidate candidate = m_decision.candidates[index];
    const RouteRuntime& route = m_model->routes[candidate.route];
    const AttemptResult& result = m_results.back();
    const auto hint = result.failure ? result.failure->retryAfter : std::nullopt;
    route.state->afterAttempt(result.outcome, hint, times.ended);
    CallRecord record = makeRecord(
        m_identity,
        *m_control,
        m_decision,
        route,
        candidate.reason,
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
    const RouteRuntime& route = m_model->routes[m_decision.candidates[index].route];
    const auto left = static_cast<Duration::rep>(m_decision.candidates.size() - index);
    // Who comes first must leave the others their share of the time, or one that hangs would use it
    // up.
    const Instant share = now + (m_deadline - now) / left;
    const Instant provider = now + route.provider->config.ttftTimeout;
    AttemptLimits limits;
    limits.firstOutput = std::min(share, provider);
    limits.isDeadline = left == 1 && m_deadline <= provider;
    limits.total = m_started + m_runtime->config->limits.total;
    return limits;
}

void Exchange::dropSmallerWindows(const RouteRuntime& than, std::size_t after)
{
    auto* const first = m_decision.candidates.begin() + after;
    const auto tooSmall = [this, &than](const Candidate& candidate) {
        return m_model->routes[candidate.route].config.contextTokens <= than.config.contextTokens;
    };
    auto* const kept = std::remove_if(first, m_decision.candidates.end(), tooSmall);
    m_decision.candidates.resize(static_cast<std::size_t>(kept - m_decision.candidates.begin()));
}

bool Exchange::mayTryNext(const AttemptResult& result, std::size_t next) const
{
    return next < m_decision.candidates.size() && !m_answer.begun() && !m_clientGone &&
           !m_stopped && mayFailOver(result.outcome) &&
           m_deadline - net::monotonicNow() >= kUsefulMin;
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
    const RouteRuntime& route = m_model->routes[m_decision.candidates[telling].route];
    AttemptResult& result = m_results[telling];
    for (const AttemptResult& each : m_results) {
        if (!each.failure || !each.failure->retryAfter) continue;
        const auto wait = *each.failure->retryAfter;
        m_fields.retryAfter = std::min(m_fields.retryAfter.value_or(wait), wait);
    }
    if (result.failure) m_fields.shouldRetry = result.failure->shouldRetry;
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
