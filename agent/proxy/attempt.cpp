// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/attempt.h"

#include "agent/net/clock.h"
#include "agent/net/connect.h"
#include "agent/protocol/answer.h"
#include "agent/proxy/unframe.h"

#include <algorithm>

namespace weir::proxy {
namespace {

/// How long the framing's own last bytes may follow the terminator.
constexpr std::chrono::milliseconds kTail{500};

/// Reads the rest of the framing, so that the connection can serve again.
net::Task<> readTail(
    Service& service,
    const void* remote,
    std::unique_ptr<net::Stream> stream,
    http::BodyReader body)
{
    const Instant until = net::monotonicNow() + kTail;
    while (!body.finished()) {
        const std::span<char> scratch = service.worker().scratch();
        const net::IoResult<std::size_t> size = co_await stream->read(scratch, until);
        if (!size) co_return;
        const Unframed rest = unframe(body, scratch.first(*size));
        if (rest.error || rest.surplus) co_return;
    }
    service.pool().give(remote, std::move(stream), net::monotonicNow());
}

} // namespace

Attempt::Attempt(AttemptContext context, const RouteRuntime& route, AttemptLimits limits)
    : m_context(std::move(context))
    , m_route(route)
    , m_limits(limits)
{
}

void Attempt::cancel()
{
    m_cancelled = true;
    if (m_upstream) m_upstream->cancel();
}

void Attempt::stop()
{
    m_stopped = true;
    cancel();
}

net::Task<AttemptResult> Attempt::run()
{
    if (m_context.drill) {
        const bool goesOn = co_await undergoDrill();
        if (!goesOn) co_return std::move(m_result);
    }
    do {
        m_stale = false;
        const bool connected = co_await obtain();
        if (!connected) break;
        const bool sent = co_await send();
        if (sent) co_await receive();
        if (m_stale) m_replayed = m_result.replayed = true;
    } while (m_stale);
    if (m_reader) {
        m_result.usage = usageSoFar();
        m_result.finishReason = m_reader->finishReason();
    }
    if (m_text) {
        m_result.text = m_text->text();
        m_result.isRefusal = m_text->isRefusal();
        m_result.isTextTooLong = m_text->isTooLong() || m_kind == Kind::Raw;
    }
    co_return std::move(m_result);
}

/// What was delivered is paid for, the prompt too, though the answer never came to say how much
/// that was (wire case B101).
TokenUsage Attempt::usageSoFar() const
{
    TokenUsage usage = m_reader ? m_reader->usage() : m_result.usage;
    const bool hasOutput = m_result.firstOutput || m_result.hasAnswer;
    if (!hasOutput || usage.inputUncached || m_result.failure) return usage;
    usage.inputUncached = protocol::estimatedTokens(m_context.facts.shape.textBytes());
    usage.estimated = true;
    return usage;
}

net::Task<bool> Attempt::obtain()
{
    const Instant now = net::monotonicNow();
    m_upstream = m_replayed ? nullptr : m_context.service.pool().take(m_route.provider.get(), now);
    m_reused = m_upstream != nullptr;
    if (m_reused) co_return true;
    const Instant limit = now + m_route.provider->config.connectTimeout;
    auto connected = co_await net::connect(
        m_context.service.worker(),
        m_context.service.shared().names,
        m_route.provider->remote,
        std::min(limit, m_limits.firstOutput));
    if (m_cancelled) {
        fail(Outcome::ClientCancelled, "the client has gone");
        co_return false;
    }
    if (!connected) {
        const bool deadline = m_limits.isDeadline && net::monotonicNow() >= m_limits.firstOutput;
        fail(deadline ? Outcome::Deadline : Outcome::ConnectFailed, describe(connected.error()));
        co_return false;
    }
    m_upstream = std::move(*connected);
    co_return true;
}

net::Task<bool> Attempt::send()
{
    const auto request = UpstreamRequest::make(
        m_context.request,
        m_context.facts,
        m_context.body.view(),
        m_route,
        m_context.translation,
        m_context.config.agent.optionalBetas);
    if (!request) {
        m_result.failure.emplace();
        m_result.failure->outcome = Outcome::BadRequest;
        m_result.failure->error = request.error();
        fail(Outcome::BadRequest, "the request cannot be told in the provider's protocol");
        co_return false;
    }
    std::vector<std::string_view> pieces;
    request->appendPieces(pieces);
    const net::IoResult<std::size_t> taken = m_upstream->tryWrite(pieces);
    if (!taken) {
        onIoError(taken.error());
        co_return false;
    }
    if (*taken < net::totalSize(pieces)) {
        net::dropFront(pieces, *taken);
        const net::IoStatus written = co_await m_upstream->write(pieces, m_limits.firstOutput);
        // A server that refuses early may close its side while it answers: what it says is read.
        if (!written && written.error() != net::IoError::Reset) {
            onIoError(written.error());
            co_return false;
        }
    }
    co_return true;
}

net::Task<> Attempt::receive()
{
    Next next = Next::Read;
    while (next != Next::Done) {
        if (next == Next::Flush) {
            co_await m_context.client.flush(m_limits.total);
            if (m_context.client.broken()) {
                fail(Outcome::ClientCancelled, "the client takes nothing");
                co_return;
            }
        }
        const std::span<char> scratch = m_context.service.worker().scratch();
        const net::IoResult<std::size_t> size = co_await m_upstream->read(scratch, readDeadline());
        if (m_cancelled) {
            next = onIoError(net::IoError::Cancelled);
        } else if (size) {
            m_anyByte = true;
            m_lastByte = net::monotonicNow();
            next = onBytes(scratch.first(*size));
        } else if (size.error() == net::IoError::Eof && m_kind != Kind::Head) {
            next = onEnd();
        } else {
            next = onIoError(size.error());
        }
        if (m_context.client.broken() && next != Next::Done) {
            next = fail(Outcome::ClientCancelled, "the client has gone");
        }
    }
    // The end of a finished answer may still wait for room.
    if (m_context.client.blocked()) co_await m_context.client.flush(m_limits.total);
}

Instant Attempt::readDeadline() const
{
    const Duration idle = m_route.provider->config.idleTimeout;
    if (m_kind == Kind::Head || (m_kind == Kind::Events && !m_result.firstOutput)) {
        return m_limits.firstOutput;
    }
    return std::min({m_lastByte + idle, m_limits.total, m_grace});
}

Attempt::Next Attempt::fail(Outcome outcome, std::string_view detail)
{
    m_result.outcome = outcome;
    m_result.detail = detail;
    m_upstream.reset();
    return Next::Done;
}

Attempt::Next Attempt::onIoError(net::IoError error)
{
    if (m_stopped && m_begun) {
        breakStream(Outcome::ClientCancelled, "the agent is stopping");
        return Next::Done;
    }
    if (m_cancelled || m_context.client.broken()) {
        return fail(Outcome::ClientCancelled, "the client has gone");
    }
    const bool timeout = error == net::IoError::Timeout;
    // A finish makes an answer whole, however the connection ends then (wire case B064).
    const bool isOver = m_reader && m_reader->hasFinish() && !m_reader->failure();
    if (!m_begun && m_result.firstOutput && !isOver) {
        return fail(
            timeout ? Outcome::IdleTimeout : Outcome::StreamBroken,
            "the provider's answer broke off");
    }
    if (!m_begun && !isOver) {
        if (m_reused && !m_anyByte && !timeout) {
            m_stale = true;
            return fail(Outcome::Reset, "a reused connection was closed");
        }
        if (timeout && (m_limits.isDeadline || m_limits.isHasty)) {
            m_result.isHasty = m_limits.isHasty;
            return fail(Outcome::Deadline, "the deadline passed");
        }
        return fail(timeout ? Outcome::TtftTimeout : Outcome::Reset, describe(error));
    }
    if (isOver) {
        // Only what may follow it never came.
        m_upstreamKeepAlive = false;
        std::vector<std::string_view>& relay = m_context.service.pieces;
        relay.clear();
        return finishEvents(relay);
    }
    if (timeout && m_limits.total <= net::monotonicNow()) {
        breakStream(Outcome::StreamBroken, "the answer exceeded limits.total_s");
    } else if (timeout) {
        breakStream(Outcome::IdleTimeout, "the provider fell silent in the middle of its answer");
    } else {
        breakStream(Outcome::StreamBroken, "the provider's connection broke");
    }
    return Next::Done;
}

Attempt::Next Attempt::succeed()
{
    m_result.outcome = m_reader ? protocol::outcomeOfFinish(m_reader->finishReason()) : Outcome::Ok;
    keepUpstream();
    return Next::Done;
}

void Attempt::breakStream(Outcome outcome, std::string_view message)
{
    m_result.isCut = m_kind == Kind::Events;
    const bool mayGoOn = m_result.isCut && m_context.midStream == MidStream::Continue &&
                         !m_stopped && net::monotonicNow() < m_limits.total;
    if (mayGoOn) m_result.unfinished = m_reader->textSoFar();
    fail(outcome, message);
}

void Attempt::keepUpstream()
{
    if (!m_upstream || !m_upstreamKeepAlive) return;
    const void* remote = m_route.provider.get();
    Service& service = m_context.service;
    if (m_body.finished()) {
        service.pool().give(remote, std::move(m_upstream), net::monotonicNow());
    } else {
        service.worker().tasks().spawn(readTail(service, remote, std::move(m_upstream), m_body));
    }
}

} // namespace weir::proxy
