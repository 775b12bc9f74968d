// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/session.h"

#include "agent/http/write.h"
#include "agent/net/clock.h"
#include "agent/proxy/exchange.h"
#include "agent/proxy/models.h"

#include <array>

namespace weir::proxy {
namespace {

/// From a request's first byte to the end of its head, and between two pieces of its body.
constexpr std::chrono::seconds kRequestStall{30};
/// How long a refused client may go on sending before the connection is closed under it.
constexpr std::chrono::seconds kLinger{2};
constexpr std::size_t kFieldsMax = 256;

protocol::ApiError badRequest(int status, std::string_view message)
{
    protocol::ApiError error;
    error.status = status;
    error.type = "invalid_request_error";
    error.message = message;
    return error;
}

} // namespace

Session::Session(Service& service, std::unique_ptr<net::Stream> client)
    : m_service(service)
    , m_client(std::move(client))
{
}

net::Task<> Session::run()
{
    for (;;) {
        m_idle = true;
        std::optional<Incoming> incoming = co_await readHead();
        m_idle = false;
        if (!incoming) break;
        if (!m_objection) m_objection = objection(*incoming);
        bool whole = false;
        if (!m_objection) whole = co_await readBody(*incoming);
        if (m_objection) co_await refuse(incoming->request, std::move(*m_objection));
        if (!whole) break;
        const bool more = co_await serve(std::move(*incoming));
        if (!more || m_draining) break;
    }
}

net::Task<std::optional<Session::Incoming>> Session::readHead()
{
    const LimitsConfig limits = m_service.runtime()->config->limits;
    const Instant idleUntil = net::monotonicNow() + limits.clientIdle;
    Instant headUntil = net::monotonicNow() + kRequestStall;
    for (;;) {
        if (!m_pending.empty()) {
            const std::optional<std::size_t> end = m_headEnd.find(m_pending);
            if (end) {
                const std::string bytes = std::move(m_pending);
                m_pending.clear();
                co_return takeHead(bytes, *end);
            }
            if (m_pending.size() > limits.headBytes)
                co_return takeHead(m_pending, m_pending.size());
        }
        const std::span<char> scratch = m_service.worker().scratch();
        const bool idle = m_pending.empty();
        const net::IoResult<std::size_t> size =
            co_await m_client->read(scratch, idle ? idleUntil : headUntil);
        if (!size) co_return std::nullopt;
        if (!idle) {
            m_pending.append(scratch.data(), *size);
            continue;
        }
        headUntil = net::monotonicNow() + kRequestStall;
        const std::string_view bytes{scratch.data(), *size};
        if (const std::optional<std::size_t> end = m_headEnd.find(bytes)) {
            co_return takeHead(bytes, *end);
        }
        m_pending = bytes;
    }
}

std::optional<Session::Incoming> Session::takeHead(std::string_view bytes, std::size_t headSize)
{
    m_headEnd.reset();
    const std::shared_ptr<const Runtime>& runtime = m_service.runtime();
    const http::HeadLimits limits{runtime->config->limits.headBytes, kFieldsMax};
    Incoming incoming;
    const std::optional<http::HeadError> error =
        headSize > limits.bytes
            ? std::optional{http::HeadError::HeadTooLong}
            : http::parseRequestHead(bytes.substr(0, headSize), limits, m_service.requestHead);
    if (error) {
        m_objection = badRequest(http::statusFor(*error), describe(*error));
        return incoming;
    }
    incoming.request = readClientRequest(m_service.requestHead, *runtime->config);
    incoming.reader = http::BodyReader(incoming.request.framing, incoming.request.contentLength);
    const std::size_t bodyMax = runtime->config->limits.bodyBytes;
    if (incoming.request.contentLength <= bodyMax) {
        incoming.body.reserve(incoming.request.contentLength);
    }
    takeBody(incoming, bytes.substr(headSize));
    return incoming;
}

void Session::takeBody(Incoming& incoming, std::string_view bytes)
{
    const std::size_t bodyMax = m_service.runtime()->config->limits.bodyBytes;
    while (!bytes.empty() && !incoming.reader.finished()) {
        const http::BodyReader::Step step = incoming.reader.next(bytes);
        bytes.remove_prefix(step.consumed);
        if (step.error) {
            m_objection = badRequest(400, describe(*step.error));
            return;
        }
        if (incoming.body.size() + step.data.size() > bodyMax) {
            m_objection = badRequest(413, "The body is larger than limits.body_bytes.");
            return;
        }
        incoming.body.append(step.data);
        if (step.consumed == 0) break;
    }
    m_pending.append(bytes);
}

std::optional<protocol::ApiError> Session::objection(const Incoming& incoming)
{
    const ClientRequest& request = incoming.request;
    // A browser sends no key with its question.
    if (!request.authorised && !request.preflight) {
        protocol::ApiError error = badRequest(401, "The API key is not accepted here.");
        error.type = "authentication_error";
        error.code = "invalid_api_key";
        return error;
    }
    if (request.contentLength > m_service.runtime()->config->limits.bodyBytes) {
        return badRequest(413, "The body is larger than limits.body_bytes.");
    }
    if (request.endpoint == ApiPath::Unknown) {
        return badRequest(
            404,
            "Unknown path. This agent serves POST /v1/chat/completions, POST /v1/messages, "
            "POST /v1/responses, POST /v1/embeddings and GET /v1/models.");
    }
    if (!request.methodMatches && !request.preflight) {
        return badRequest(405, "This path is not served for that method.");
    }
    return std::nullopt;
}

net::Task<bool> Session::readBody(Incoming& incoming)
{
    if (incoming.reader.finished()) co_return true;
    if (incoming.request.expectContinue && incoming.body.size() == 0) {
        static constexpr std::array<std::string_view, 1> kContinue = {
            "HTTP/1.1 100 Continue\r\n\r\n"};
        co_await m_client->write(kContinue, net::monotonicNow() + kRequestStall);
    }
    const bool plain = incoming.request.framing == http::Framing::Length;
    while (!incoming.reader.finished()) {
        const Instant until = net::monotonicNow() + kRequestStall;
        // A body of known length is read to where it stays; a chunked one must lose its framing
        // first.
        const std::size_t left = incoming.request.contentLength - incoming.body.size();
        const std::span<char> into =
            plain ? incoming.body.room(left) : m_service.worker().scratch();
        const net::IoResult<std::size_t> size = co_await m_client->read(into, until);
        if (!size) co_return false;
        if (plain) {
            static_cast<void>(incoming.reader.next({into.data(), *size}));
            incoming.body.grow(*size);
        } else {
            takeBody(incoming, {into.data(), *size});
            if (m_objection) co_return false;
        }
    }
    co_return true;
}

net::Task<bool> Session::serve(Incoming incoming)
{
    const ClientRequest& request = incoming.request;
    if (request.preflight || request.endpoint == ApiPath::Models) {
        const bool keep = request.keepAlive && !m_draining;
        const int status = request.preflight ? 204 : 200;
        std::string body;
        if (!request.preflight) {
            body = modelsBody(request.protocol, *m_service.runtime()->config);
        }
        const bool written = co_await answerWhole(status, request, keep, std::move(body));
        co_return keep&& written;
    }
    Exchange exchange(m_service, *m_client, std::move(incoming.request), std::move(incoming.body));
    m_exchange = &exchange;
    const bool keep = co_await exchange.run();
    m_exchange = nullptr;
    co_return keep;
}

net::Task<bool>
Session::answerWhole(int status, const ClientRequest& request, bool keepAlive, std::string body)
{
    const std::string id = m_service.newRequestId();
    AnswerFields fields;
    fields.requestId = id;
    fields.mode = m_service.control()->effectiveMode;
    fields.cors = request.cors;
    std::string lines;
    if (status == 405) http::appendField(lines, "Allow", methodsOf(request.endpoint));
    const AnswerFraming framing{body.size(), request.versionMinor, keepAlive};
    const std::string head = answerHead(status, "application/json", fields, framing, lines);
    if (request.headOnly) body.clear();
    const std::array<std::string_view, 2> pieces = {head, body};
    const net::IoStatus written =
        co_await m_client->write(pieces, net::monotonicNow() + kRequestStall);
    co_return written.has_value();
}

net::Task<> Session::refuse(const ClientRequest& request, protocol::ApiError error)
{
    std::string body = protocol::errorBody(request.protocol, error);
    const bool written = co_await answerWhole(error.status, request, false, std::move(body));
    if (written) co_await linger();
}

/// A close under a client that still sends is a reset, which can take the answer with it (RFC 9112
/// section 9.6): so our side is closed first and what comes is read for a moment.
net::Task<> Session::linger()
{
    net::error_code ignored;
    m_client->socket().shutdown(net::tcp::socket::shutdown_send, ignored);
    const Instant until = net::monotonicNow() + kLinger;
    while (net::monotonicNow() < until) {
        const net::IoResult<std::size_t> size =
            co_await m_client->read(m_service.worker().scratch(), until);
        if (!size) co_return;
    }
}

void Session::drain()
{
    m_draining = true;
    if (m_idle && m_pending.empty()) m_client->cancel();
}

void Session::stop()
{
    m_draining = true;
    if (m_exchange != nullptr) {
        m_exchange->stop();
    } else {
        m_client->cancel();
    }
}

} // namespace weir::proxy
