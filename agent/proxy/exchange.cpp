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

protocol::ApiError badField(const ClientRequest& request)
{
    protocol::ApiError error;
    error.status = 400;
    error.type = "invalid_request_error";
    error.code = "bad_header";
    error.param = request.badField;
    error.message = "Invalid value of the header '" + error.param + "': expected ";
    error.message.append(request.badFieldWants).append(".");
    return error;
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
    , m_slotWait(service.worker().io())
{
    m_identity.requestId = m_service.newRequestId();
    m_identity.agentId = m_service.shared().agentId;
    m_identity.service = m_runtime->config->agent.service;
    m_fields.requestId = m_identity.requestId;
    m_fields.mode = m_control->effectiveMode;
    m_fields.cors = m_request.cors;
}

net::Task<bool> Exchange::run()
{
    auto error = read();
    if (!error) error = findLadder();
    if (error) {
        refuse(*error);
        co_return co_await answer();
    }
    m_identity.model = m_ladder.front().model->name;
    m_mirrorSeat = m_service.mirror().admit(*m_task, m_request, m_identity, m_body.size());
    m_watch.emplace(
        m_service.worker().sweep(),
        m_client,
        [this] { return skippedByClient(); },
        [this] {
            m_clientGone = true;
            m_slotWait.cancel();
            for (Running* const running : m_running)
                running->attempt.cancel();
        });
    co_await descend();
    m_watch.reset();
    tellDrills();
    bool keep = false;
    if (m_answer.begun()) {
        // What was begun and did not end well can only be closed.
        keep = m_answer.ended() && !m_answer.broken() && keepAlive();
    } else if (!m_clientGone) {
        if (!m_results.empty()) settle();
        keep = co_await answer();
    }
    offerCopy();
    co_return keep;
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
    if (!m_request.badField.empty()) return badField(m_request);
    const protocol::Api api = apiOf(m_request.endpoint);
    auto facts = protocol::readRequest(api, m_body.view());
    if (!facts) return std::move(facts.error());
    m_facts = std::move(*facts);
    m_translation.emplace(api, m_body.view());
    return std::nullopt;
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
    const RouteRuntime& route = *m_tried[telling].route;
    AttemptResult& result = m_results[telling];
    if (mayFailOver(result.outcome) || result.outcome == Outcome::Deadline) admitFailure(result);
    const Advice advice = adviceFor(m_results, telling);
    m_fields.retryAfter = advice.retryAfter;
    m_fields.shouldRetry = advice.shouldRetry;
    if (m_fields.level == kLevelFailure && !m_fields.retryAfter) {
        m_fields.retryAfter = m_task->failureRetryAfter;
    }
    FailureAnswer answer = failureAnswer(m_request.protocol, route.provider->config, result);
    m_status = answer.status;
    m_contentType = std::move(answer.contentType);
    m_passed = std::move(answer.passed);
    m_document.append(answer.body);
    m_fields.provider = route.config.provider;
    m_fields.route = route.name;
}

/// Nothing of all that could serve did (L4): the operator's own words come first. What a prompt is
/// too long by stays as it is, for callers read it.
void Exchange::admitFailure(AttemptResult& result)
{
    if (result.outcome == Outcome::ContextOverflow) return;
    m_fields.level = kLevelFailure;
    if (!m_task->failureText.empty()) tellInstead(result, m_task->failureText);
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
    m_slotWait.cancel();
    for (Running* const running : m_running)
        running->attempt.stop();
}

} // namespace weir::proxy
