// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/exchange.h"

#include "agent/net/clock.h"
#include "agent/proxy/exchange_running.h"
#include "agent/proxy/failure_answer.h"
#include "agent/proxy/models.h"
#include "common/base/text.h"

#include <algorithm>
#include <array>

namespace weir::proxy {
namespace {

/// routing.md section 9: at most two failovers, each to another provider.
constexpr std::size_t kCandidatesMax = 3;

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
    m_fields.cors = m_request.cors;
}

net::Task<bool> Exchange::run()
{
    if (const auto error = read()) {
        refuse(*error);
        co_return co_await answer();
    }
    m_model = findModel();
    if (m_model == nullptr || !decide()) co_return co_await answer();
    m_watch.emplace(
        m_service.worker().sweep(),
        m_client,
        [this] { return skippedByClient(); },
        [this] {
            m_clientGone = true;
            for (Running* const running : m_running)
                running->attempt.cancel();
        });
    co_await attempts();
    m_watch.reset();
    if (m_answer.begun()) {
        // What was begun and did not end well can only be closed.
        co_return !m_answer.broken() && isSuccess(m_results.back().outcome) && keepAlive();
    }
    if (m_clientGone) co_return false;
    settle();
    co_return co_await answer();
}

/// For the watch (wire case B124): what may be written to a client that has perhaps gone.
std::string_view Exchange::skippedByClient() const
{
    if (m_answer.begun()) return m_answer.skipped();
    return m_request.versionMinor >= 1 ? net::PeerWatch::kInterim : std::string_view{};
}

/// What the client wants, or the error that it gets instead of an answer.
std::optional<protocol::ApiError> Exchange::read()
{
    if (!m_request.badField.empty()) return badField(m_request.badField);
    const protocol::Api api = apiOf(m_request.endpoint);
    auto facts = protocol::readRequest(api, m_body.view());
    if (!facts) return std::move(facts.error());
    m_facts = std::move(*facts);
    m_translation.emplace(api, m_body.view());
    return std::nullopt;
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
        refuse(error);
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
         *m_translation,
         *m_model,
         m_identity,
         deadline,
         m_task->hedge,
         m_started,
         net::utcNow()});
    auto& candidates = m_choice.decision.candidates;
    if (candidates.empty()) {
        protocol::ApiError error;
        error.status = 400;
        error.type = "invalid_request_error";
        error.code = "no_eligible_route";
        error.param = m_choice.refusedParam;
        error.message = "No route of model '" + m_model->name +
                        "' may serve this request:" + m_choice.exclusions + '.';
        refuse(error);
        return false;
    }
    if (candidates.size() > kCandidatesMax) candidates.resize(kCandidatesMax);
    return true;
}

void Exchange::refuse(const protocol::ApiError& error)
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
    const std::size_t candidate = m_tried[telling].candidate;
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
    for (Running* const running : m_running)
        running->attempt.stop();
}

} // namespace weir::proxy
