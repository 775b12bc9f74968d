// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/inner_call.h"

#include "agent/net/clock.h"
#include "agent/proxy/token_load.h"
#include "common/routing/aside.h"
#include "common/routing/philox.h"

namespace weir::proxy {

InnerCall::InnerCall(
    Service& service,
    InnerRequest& request,
    const ModelRuntime& model,
    CallFlag flag,
    std::size_t textMax)
    : m_service(service)
    , m_request(request)
    , m_model(model)
    , m_flag(flag)
    , m_textMax(textMax)
{
    m_request.identity.priority = Priority::Batch;
}

void InnerCall::cancel()
{
    if (m_attempt) m_attempt->cancel();
}

/// Who may serve it, as a task and a conversation of its own: a copy of a user's request must not
/// move that user's pin.
Choice InnerCall::choose(Translation& translation, Instant now) const
{
    RequestIdentity asking = m_request.identity;
    asking.taskId.clear();
    asking.conversation = asking.requestId;
    // Nobody sees its answer, so no quality floor keeps it from a route.
    static const TaskConfig kNoFloor;
    return chooseRoute(
        {m_service,
         m_request.runtime,
         *m_request.control,
         m_request.request,
         m_request.facts,
         m_request.body.view(),
         translation,
         m_model,
         asking,
         kNoFloor,
         std::chrono::milliseconds::max(),
         false,
         now,
         net::utcNow()});
}

const Candidate* InnerCall::admitted(const Choice& choice, Instant now) const
{
    const HashKey& secret = m_service.shared().conversationKey;
    const routing::Coin coin(
        choice.seed, routing::coinKeyOf(secret, "r:" + m_request.identity.requestId));
    for (const Candidate& candidate : choice.decision.candidates) {
        const RouteRuntime& route = m_model.routes[candidate.route];
        const std::uint32_t draw =
            coin.draw(routing::Purpose::Admit, static_cast<std::uint32_t>(route.fixedPosition));
        if (routing::admitsAside(route.state->view(now, {0, true}), draw)) return &candidate;
    }
    return nullptr;
}

net::Task<InnerAnswer> InnerCall::run()
{
    InnerAnswer answer;
    const Instant now = net::monotonicNow();
    Translation translation(apiOf(m_request.request.endpoint), m_request.body.view());
    const Choice choice = choose(translation, now);
    const Candidate* const candidate = admitted(choice, now);
    if (candidate == nullptr) {
        const bool isNone = choice.decision.candidates.empty();
        answer.end = isNone ? InnerAnswer::End::Ineligible : InnerAnswer::End::Denied;
        co_return answer;
    }
    const RouteRuntime& route = m_model.routes[candidate->route];
    const fleet::Slot slot = route.state->room().tryTake();
    if (!slot) {
        answer.end = InnerAnswer::End::Denied;
        co_return answer;
    }
    fleet::RouteState::Flight flight(*route.state, now, choice.expectedTokens);
    ClientAnswer nobody;
    AnswerFields fields;
    AttemptLimits limits;
    limits.firstOutput = now + route.provider->config.ttftTimeout;
    limits.total = now + m_request.runtime->config->limits.total;
    const AttemptContext context{
        m_service,
        m_request.request,
        m_request.facts,
        translation,
        m_request.body,
        nobody,
        fields,
        *m_request.runtime->config,
        MidStream::Error,
        false,
        0,
        flight,
        {},
        m_textMax};
    m_attempt.emplace(context, route, limits);
    answer.route = &route;
    answer.times = {net::utcNow(), now, {}};
    answer.result = co_await m_attempt->run();
    m_attempt.reset();
    answer.times.ended = net::monotonicNow();
    const AttemptResult& result = answer.result;
    const auto hint = result.failure ? result.failure->retryAfter : std::nullopt;
    flight.took(usedTokens(result, choice.expectedTokens), answer.times.ended);
    flight.ended(result.outcome, hint.value_or(std::chrono::milliseconds{0}), answer.times.ended);
    CallRecord record = makeRecord(
        m_request.identity,
        *m_request.control,
        choice,
        route,
        *candidate,
        1,
        answer.times,
        result,
        m_request.facts.stream);
    record.decision = choice.record;
    record.flags |= static_cast<std::uint16_t>(m_flag);
    record.last = true;
    m_service.shared().recorder.record(std::move(record));
    co_return answer;
}

} // namespace weir::proxy
