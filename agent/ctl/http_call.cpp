// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/wire.h"
#include "agent/ctl/wire_state.h"
#include "agent/http/body.h"
#include "agent/http/head.h"
#include "agent/http/write.h"
#include "agent/net/clock.h"
#include "common/base/text.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <vector>

namespace weir::ctl {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

std::string hostField(const BaseUrl& url)
{
    const bool isV6 = url.host.find(':') != std::string::npos;
    return (isV6 ? '[' + url.host + ']' : url.host) + ':' + std::to_string(url.port);
}

std::string requestFor(const AgentAddress& agent, const HttpAsk& ask)
{
    std::string request;
    http::appendRequestLine(request, ask.method, agent.url.path + ask.target);
    http::appendField(request, "Host", hostField(agent.url));
    http::appendField(request, "User-Agent", "weirctl");
    http::appendField(request, "Accept", "application/json, text/event-stream");
    if (!agent.token.empty()) {
        http::appendField(request, "Authorization", "Bearer " + std::string{agent.token.reveal()});
    }
    request += ask.fields;
    if (ask.method != "GET") {
        http::appendField(request, "Content-Type", "application/json");
        http::appendField(request, "Content-Length", std::uint64_t{ask.body.size()});
    }
    http::appendField(request, "Connection", "close");
    http::appendBlankLine(request);
    return request + ask.body;
}

} // namespace

struct HttpCall::State
{
    State(Waiter::State& waiter_, std::string where_)
        : waiter(waiter_)
        , where(std::move(where_))
        , resolver(waiter_.io)
        , socket(waiter_.io)
    {
    }

    ~State() { close(); }

    State(const State&) = delete;
    State& operator=(const State&) = delete;

    /// Handlers hold pointers into this object: they must have run before it goes.
    void close()
    {
        boost::system::error_code ignored;
        resolver.cancel();
        socket.close(ignored);
        waiter.io.restart();
        waiter.io.poll();
    }

    /// Runs until the operation that sets `done` is over. Error where it is not, or has failed.
    Status<> await(std::string_view doing)
    {
        waiter.runUntil(done, deadline);
        return outcome(doing);
    }

    [[nodiscard]] Status<> outcome(std::string_view doing) const
    {
        if (!done && waiter.isInterrupted()) return fail("interrupted", where, "interrupted");
        if (!done) return fail("timeout", where, "no answer in time while " + std::string{doing});
        if (!error) return {};
        if (error == asio::error::connection_refused) {
            return fail("unreachable", where, "nothing listens there (is the agent running?)");
        }
        return fail(
            "unreachable", where, "failed while " + std::string{doing} + ": " + error.message());
    }

    auto handler()
    {
        done = false;
        return [this](const boost::system::error_code& result, auto&&...) {
            error = result;
            done = true;
        };
    }

    /// What a lookup found. The system's resolver cannot be interrupted, so it may outlive all
    /// else.
    struct Lookup
    {
        bool done = false;
        boost::system::error_code error;
        tcp::resolver::results_type addresses;
    };

    Status<> connect(const BaseUrl& url)
    {
        const auto lookup = std::make_shared<Lookup>();
        const auto note = [lookup](const auto& result, const auto& found) {
            *lookup = {true, result, found};
        };
        resolver.async_resolve(url.host, std::to_string(url.port), note);
        waiter.runUntil(lookup->done, deadline);
        done = lookup->done;
        error = lookup->error;
        if (Status<> resolved = outcome("looking up the name"); !resolved) return resolved;
        asio::async_connect(socket, lookup->addresses, handler());
        return await("connecting");
    }

    /// Reads until the head is whole and leaves what came behind it in `input`.
    Status<> readHead()
    {
        http::HeadEnd end;
        std::optional<std::size_t> size;
        while (!(size = end.find(input))) {
            startRead();
            if (Status<> got = await("waiting for the answer"); !got) return got;
            input.append(buffer.data(), count);
            if (input.size() > http::HeadLimits{}.bytes) break;
        }
        http::ResponseHead head;
        const std::string_view bytes = std::string_view{input}.substr(0, size.value_or(0));
        if (const auto bad = http::parseResponseHead(bytes, {}, head)) {
            return fail(
                "bad_answer", where, "does not speak HTTP: " + std::string{http::describe(*bad)});
        }
        status = head.status;
        for (const http::Field& each : head.fields)
            fields.emplace_back(each.name, each.value);
        body = http::BodyReader{head.framing, head.contentLength};
        input.erase(0, *size);
        return {};
    }

    void startRead()
    {
        reading = true;
        socket.async_read_some(
            asio::buffer(buffer), [this, finish = handler()](const auto& result, std::size_t size) {
                count = size;
                reading = false;
                finish(result);
            });
    }

    /// Moves the payload of `input` to `out`.
    Status<> decode(std::string& out)
    {
        std::string_view rest = input;
        while (!rest.empty() && !body.finished()) {
            const http::BodyReader::Step step = body.next(rest);
            if (step.error) {
                return fail(
                    "bad_answer",
                    where,
                    "broken answer: " + std::string{http::describe(*step.error)});
            }
            out += step.data;
            if (step.consumed == 0) break;
            rest.remove_prefix(step.consumed);
        }
        input.clear();
        return {};
    }

    Waiter::State& waiter;
    std::string where;
    tcp::resolver resolver;
    tcp::socket socket;
    Instant deadline{};
    bool done = true;
    bool reading = false;
    boost::system::error_code error;
    std::size_t count = 0;
    std::array<char, 16384> buffer{};
    std::string input;
    int status = 0;
    std::vector<std::pair<std::string, std::string>> fields;
    http::BodyReader body;
};

HttpCall::HttpCall(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
}

HttpCall::~HttpCall() = default;
HttpCall::HttpCall(HttpCall&&) noexcept = default;
HttpCall& HttpCall::operator=(HttpCall&&) noexcept = default;

Result<HttpCall> HttpCall::open(
    Waiter& waiter,
    const AgentAddress& agent,
    const std::string& target,
    std::chrono::milliseconds timeout)
{
    HttpAsk ask;
    ask.target = target;
    return open(waiter, agent, ask, timeout);
}

Result<HttpCall> HttpCall::open(
    Waiter& waiter,
    const AgentAddress& agent,
    const HttpAsk& ask,
    std::chrono::milliseconds timeout)
{
    if (agent.url.tls) {
        return fail("unreachable", agent.text, "an agent speaks plain HTTP: write http://");
    }
    auto state = std::make_unique<State>(*waiter.m_state, agent.text);
    state->deadline = net::monotonicNow() + timeout;
    if (const Status<> connected = state->connect(agent.url); !connected) {
        return tl::unexpected{connected.error()};
    }
    const std::string request = requestFor(agent, ask);
    asio::async_write(state->socket, asio::buffer(request), state->handler());
    const Status<> sent = state->await("asking");
    if (!sent) state->close();
    if (!sent) return tl::unexpected{sent.error()};
    if (const Status<> head = state->readHead(); !head) return tl::unexpected{head.error()};
    return HttpCall{std::move(state)};
}

int HttpCall::status() const
{
    return m_state->status;
}

std::string HttpCall::field(std::string_view name) const
{
    for (const auto& [known, value] : m_state->fields) {
        if (equalsIgnoreCase(known, name)) return value;
    }
    return {};
}

Result<HttpCall::Read> HttpCall::read(std::string& out, std::chrono::milliseconds timeout)
{
    State& state = *m_state;
    const std::size_t before = out.size();
    if (const Status<> decoded = state.decode(out); !decoded)
        return tl::unexpected{decoded.error()};
    if (out.size() > before) return Read::Data;
    if (state.body.finished()) return Read::Ended;
    if (!state.reading) state.startRead();
    state.waiter.runUntil(state.done, net::monotonicNow() + timeout);
    if (!state.done) return Read::TimedOut;
    if (!state.error) {
        state.input.append(state.buffer.data(), state.count);
        return read(out, std::chrono::milliseconds{0});
    }
    if (!state.body.atEnd()) return Read::Ended;
    return fail("reset", state.where, "the connection ended: " + state.error.message());
}

} // namespace weir::ctl
