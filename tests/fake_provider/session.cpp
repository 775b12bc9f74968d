// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/session.h"

#include "tests/fake_provider/control.h"
#include "tests/fake_provider/respond.h"
#include "tests/fake_provider/strict.h"

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

namespace weir::fake {

namespace {

namespace http = boost::beast::http;
using Parser = http::request_parser<http::string_body>;

constexpr std::size_t kReadBytes = 65536;
constexpr std::uint32_t kHeadBytesMax = 1u << 20;

std::string textOf(boost::beast::string_view view)
{
    return {view.data(), view.size()};
}

Caller callerOf(const http::request<http::string_body>& request)
{
    const std::string authorization = textOf(request[http::field::authorization]);
    const bool bearer = authorization.starts_with("Bearer ");
    return {
        bearer ? authorization.substr(7) : textOf(request["x-api-key"]),
        textOf(request["anthropic-version"]),
        textOf(request["anthropic-beta"])};
}

/// Reads the request into `ask`, which keeps what is known where the rest is refused.
Status<> readAsk(const Incoming& incoming, Provider& provider, Ask& ask)
{
    auto path = askOf(incoming.target);
    if (!path) return tl::unexpected<Error>(path.error());
    ask = std::move(*path);
    if (ask.endpoint == Endpoint::Models) return {};
    if (auto read = readBody(incoming.seen.body, ask); !read) return read;
    const auto script = provider.scriptFor(ask);
    if (!script->strict) return {};
    return checkStrictly(ask, incoming.caller, incoming.seen.body, *script);
}

/// Feeds what is buffered; the bytes of the head are kept as they came. False on bad syntax.
bool feed(Parser& parser, boost::beast::flat_buffer& buffer, std::string& head)
{
    const bool inHead = !parser.is_header_done();
    boost::system::error_code error;
    const std::size_t used = parser.put(buffer.data(), error);
    if (inHead) {
        head.append(static_cast<const char*>(buffer.data().data()), used);
        if (parser.is_header_done()) head.resize(head.find("\r\n\r\n") + 4);
    }
    buffer.consume(used);
    return !error || error == http::error::need_more;
}

} // namespace

Session::Session(Shared& shared, Counters& counters, Tcp::socket socket, net::ssl::context* tls)
    : m_shared(shared)
    , m_counters(counters)
    , m_wire(std::move(socket), tls, counters.bytesOut)
{
    ++m_counters.connectionsAccepted;
    ++m_counters.connectionsOpen;
}

Session::~Session()
{
    m_shared.idle.erase(&m_wire);
    --m_counters.connectionsOpen;
}

net::awaitable<void> Session::run()
{
    if (!co_await m_wire.handshake()) {
        ++m_counters.tlsFailures;
        co_return;
    }
    for (bool open = true; open;) {
        auto incoming = co_await read();
        if (!incoming) co_return;
        open = co_await serve(*incoming);
    }
    co_await m_wire.finish();
}

net::awaitable<std::optional<Incoming>> Session::read()
{
    const double idleMs = m_shared.provider.script().idleCloseMs;
    if (idleMs > 0 && m_served > 0)
        m_wire.armIdleClose(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double, std::milli>(idleMs)));
    m_shared.idle.insert(&m_wire);
    Parser parser;
    parser.eager(true);
    parser.body_limit(boost::none);
    parser.header_limit(kHeadBytesMax);
    Incoming incoming;
    bool continued = false;
    for (;;) {
        if (m_buffer.size() > 0 && !feed(parser, m_buffer, incoming.seen.head)) {
            co_await refuseBadRequest();
            co_return std::nullopt;
        }
        if (parser.is_done()) break;
        if (parser.is_header_done() && !continued &&
            parser.get()[http::field::expect] == "100-continue") {
            continued = true;
            if (!co_await m_wire.write("HTTP/1.1 100 Continue\r\n\r\n", 0)) co_return std::nullopt;
        }
        const auto space = m_buffer.prepare(kReadBytes);
        const std::size_t count = co_await m_wire.readSome(space);
        if (count == 0) co_return std::nullopt;
        m_wire.disarmIdleClose();
        m_shared.idle.erase(&m_wire);
        m_counters.bytesIn += count;
        m_buffer.commit(count);
    }
    m_shared.idle.erase(&m_wire);
    auto& request = parser.get();
    incoming.method = textOf(request.method_string());
    incoming.target = textOf(request.target());
    incoming.caller = callerOf(request);
    incoming.keepAlive = request.keep_alive();
    incoming.seen.body = std::move(request.body());
    co_return incoming;
}

net::awaitable<void> Session::refuseBadRequest()
{
    ++m_counters.badRequests;
    co_await respondJson(
        m_wire, 400, R"({"error":{"message":"not HTTP/1.1","type":"bad_request"}})");
    co_await m_wire.finish();
}

net::awaitable<bool> Session::serve(Incoming& incoming)
{
    ++m_served;
    if (isControl(incoming.target)) {
        const ControlAnswer answer = control(m_shared.provider, incoming);
        if (answer.scriptChanged) m_shared.scriptChanged();
        co_return co_await respondJson(m_wire, answer.status, answer.body) ==
            After::KeepOpen&& incoming.keepAlive;
    }
    Provider& provider = m_shared.provider;
    ++provider.counters.requests;
    Ask ask;
    const Status<> read = readAsk(incoming, provider, ask);
    const auto script = provider.scriptFor(ask);
    const Plan plan = provider.plan(ask, read, incoming.caller, Clock::now());
    ++provider.counters.statuses[plan.status];
    incoming.seen.number = provider.counters.requests;
    provider.remember(std::move(incoming.seen));
    const bool last = !incoming.keepAlive || (script->requestsPerConnection > 0 &&
                                              m_served >= script->requestsPerConnection);
    ++provider.counters.inFlight;
    const After after = co_await respond(m_wire, *script, plan, last);
    --provider.counters.inFlight;
    if (after == After::PeerGone) ++provider.counters.cancelled;
    if (after == After::KeepOpen || after == After::Finish) provider.bill(*script, plan);
    m_wire.endWatch();
    co_return after == After::KeepOpen;
}

} // namespace weir::fake
