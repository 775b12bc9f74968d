// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/connection.h"

#include "agent/http/write.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace weir::admin {
namespace {

namespace asio = boost::asio;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
/// A live reader's unread snapshots wait in the kernel; this bounds how many.
constexpr int kLiveSendBufferBytes = 65536;
/// What is read and thrown away so that the last answer arrives.
constexpr std::size_t kLingerBytes = 262144;
constexpr int kLingerTicks = 2;

std::string headFor(const Answer& answer, bool keepAlive)
{
    std::string head;
    http::appendStatusLine(head, answer.status);
    http::appendField(head, "Content-Type", answer.type);
    if (!answer.live) http::appendField(head, "Content-Length", answer.body.size());
    http::appendField(head, "Cache-Control", "no-store");
    http::appendField(head, "X-Content-Type-Options", "nosniff");
    if (!answer.extra.name.empty()) {
        http::appendField(head, answer.extra.name, answer.extra.value);
    }
    if (!keepAlive) http::appendField(head, "Connection", "close");
    http::appendBlankLine(head);
    return head;
}

} // namespace

Connection::Connection(
    asio::ip::tcp::socket socket, const Pages& pages, const ConnectionLimits& limits)
    : m_socket(std::move(socket))
    , m_pages(pages)
    , m_limits(limits)
    , m_wake(m_socket.get_executor())
    , m_ticksLeft(limits.headTicks)
{
}

asio::awaitable<void> Connection::run()
{
    boost::system::error_code ignored;
    m_socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    bool more = true;
    while (more) {
        const std::optional<std::size_t> headSize = co_await readHead();
        if (!headSize) break;
        more = co_await serve(*headSize);
        m_ticksLeft = m_input.empty() ? m_limits.idleTicks : m_limits.headTicks;
    }
    if (!more && m_socket.is_open()) co_await linger();
    close();
}

void Connection::tick()
{
    if (m_ticksLeft > 0 && --m_ticksLeft == 0) close();
}

void Connection::publish(const std::shared_ptr<const std::string>& snapshot)
{
    m_next = snapshot;
    if (m_writing && ++m_missed >= m_limits.snapshotsMissed) {
        close();
        return;
    }
    m_wake.cancel();
}

void Connection::close()
{
    boost::system::error_code ignored;
    m_socket.close(ignored);
    m_wake.cancel();
}

asio::awaitable<std::optional<std::size_t>> Connection::readHead()
{
    m_headEnd.reset();
    while (true) {
        const std::optional<std::size_t> size = m_headEnd.find(m_input);
        if (size) co_return size;
        if (m_input.size() > m_limits.headBytes) co_return m_input.size();
        const auto target = asio::buffer(m_scratch);
        const auto [error, count] = co_await m_socket.async_read_some(target, kResult);
        if (error) co_return std::nullopt;
        if (m_input.empty()) m_ticksLeft = m_limits.headTicks;
        m_input.append(m_scratch.data(), count);
    }
}

asio::awaitable<bool> Connection::serve(std::size_t headSize)
{
    const std::string_view bytes = std::string_view(m_input).substr(0, headSize);
    http::HeadLimits limits;
    limits.bytes = m_limits.headBytes;
    http::RequestHead request;
    const std::optional<http::HeadError> problem = http::parseRequestHead(bytes, limits, request);
    const bool hasBody = request.framing != http::Framing::None && request.contentLength != 0;
    Answer answer;
    bool keepAlive = !problem && request.keepAlive;
    if (problem) {
        answer = errorAnswer(http::statusFor(*problem), "bad_request", http::describe(*problem));
    } else {
        answer = m_pages.answer(request);
        // A body would have to be read before the next request, and nothing here wants one.
        keepAlive =
            keepAlive && !hasBody && request.framing != http::Framing::Chunked && !answer.live;
    }
    const bool withBody = problem || request.method != "HEAD";
    m_input.erase(0, headSize);
    const bool written = co_await write(answer, withBody, keepAlive);
    if (written && answer.live && withBody) co_await streamSnapshots();
    co_return written&& keepAlive;
}

asio::awaitable<bool> Connection::write(const Answer& answer, bool withBody, bool keepAlive)
{
    const std::string head = headFor(answer, keepAlive);
    const asio::const_buffer body = withBody ? asio::buffer(answer.body) : asio::const_buffer();
    const std::array<asio::const_buffer, 2> parts = {asio::buffer(head), body};
    m_ticksLeft = m_limits.writeTicks;
    const auto [error, count] = co_await asio::async_write(m_socket, parts, kResult);
    co_return !error;
}

asio::awaitable<void> Connection::streamSnapshots()
{
    boost::system::error_code ignored;
    m_socket.set_option(asio::socket_base::send_buffer_size(kLiveSendBufferBytes), ignored);
    m_live = true;
    m_ticksLeft = kForever;
    m_next = std::make_shared<const std::string>(m_pages.snapshotEvent());
    while (m_socket.is_open()) {
        if (!m_next) {
            m_wake.expires_at(asio::steady_timer::time_point::max());
            co_await m_wake.async_wait(kResult);
            continue;
        }
        const std::shared_ptr<const std::string> snapshot = std::move(m_next);
        m_writing = true;
        const auto text = asio::buffer(*snapshot);
        const auto [error, count] = co_await asio::async_write(m_socket, text, kResult);
        m_writing = false;
        m_missed = 0;
        if (error) break;
    }
    m_live = false;
}

asio::awaitable<void> Connection::linger()
{
    boost::system::error_code ignored;
    m_socket.shutdown(asio::socket_base::shutdown_send, ignored);
    m_ticksLeft = kLingerTicks;
    for (std::size_t total = 0; total < kLingerBytes;) {
        const auto target = asio::buffer(m_scratch);
        const auto [error, count] = co_await m_socket.async_read_some(target, kResult);
        if (error) break;
        total += count;
    }
}

} // namespace weir::admin
