// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/wire.h"

#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>

#include <algorithm>

namespace weir::fake {

namespace {

constexpr auto kAnswer = net::as_tuple(net::use_awaitable);
using ErrorCode = boost::system::error_code;

} // namespace

/// Shared with pending waits, which may end after the connection object: `owner` is null by then.
struct Wire::Watch
{
    Watch(const net::any_io_executor& executor, Wire* wire)
        : owner(wire)
        , timer(executor)
        , idle(executor)
    {
    }

    Wire* owner;
    net::steady_timer timer;
    net::steady_timer idle;
    bool pending = false;
    bool gone = false;
    bool pipelined = false; // the peer sent more instead of leaving; nothing left to watch for
};

Wire::Wire(Tcp::socket socket, net::ssl::context* tls, std::uint64_t& bytesOut)
    : m_socket(std::move(socket))
    , m_watch(std::make_shared<Watch>(m_socket.get_executor(), this))
    , m_bytesOut(bytesOut)
{
    ErrorCode ignored;
    m_socket.set_option(Tcp::no_delay(true), ignored);
    if (tls != nullptr) m_tls.emplace(m_socket, *tls);
}

Wire::~Wire()
{
    m_watch->owner = nullptr;
    m_watch->idle.cancel();
}

net::awaitable<bool> Wire::handshake()
{
    if (!m_tls) co_return true;
    auto [error] = co_await m_tls->async_handshake(net::ssl::stream_base::server, kAnswer);
    co_return !error;
}

net::awaitable<std::size_t> Wire::readSome(net::mutable_buffer into)
{
    if (m_tls) {
        auto [error, count] = co_await m_tls->async_read_some(into, kAnswer);
        co_return error ? 0 : count;
    }
    auto [error, count] = co_await m_socket.async_read_some(into, kAnswer);
    co_return error ? 0 : count;
}

net::awaitable<bool> Wire::write(std::string_view bytes, std::uint64_t segmentBytes)
{
    const std::size_t piece = segmentBytes == 0 ? bytes.size() : segmentBytes;
    while (!bytes.empty()) {
        const auto buffer = net::buffer(bytes.substr(0, piece));
        ErrorCode error;
        std::size_t count = 0;
        if (m_tls)
            std::tie(error, count) = co_await m_tls->async_write_some(buffer, kAnswer);
        else
            std::tie(error, count) = co_await m_socket.async_write_some(buffer, kAnswer);
        m_bytesOut += count;
        if (error) {
            m_watch->gone = true;
            co_return false;
        }
        bytes.remove_prefix(count);
    }
    co_return true;
}

void Wire::startWatch()
{
    if (m_watch->pending || m_watch->pipelined || m_watch->gone) return;
    m_watch->pending = true;
    m_socket.async_wait(Tcp::socket::wait_read, [watch = m_watch](const ErrorCode& error) {
        watch->pending = false;
        if (watch->owner == nullptr || error == net::error::operation_aborted) return;
        char byte = 0;
        const int descriptor = watch->owner->m_socket.native_handle();
        const bool moreCame = !error && ::recv(descriptor, &byte, 1, MSG_PEEK) > 0;
        // In TLS a client that waits for its answer sends nothing but its farewell.
        const bool gone = !moreCame || watch->owner->m_tls.has_value();
        (gone ? watch->gone : watch->pipelined) = true;
        if (gone) watch->timer.cancel();
    });
}

void Wire::endWatch()
{
    if (!m_watch->pending && !m_watch->pipelined) return;
    ErrorCode ignored;
    m_socket.cancel(ignored);
    m_watch->owner = nullptr;
    m_watch = std::make_shared<Watch>(m_socket.get_executor(), this);
}

net::awaitable<bool> Wire::waitUntil(Clock::time_point when)
{
    if (when <= Clock::now()) co_return !m_watch->gone;
    startWatch();
    if (m_watch->gone) co_return false;
    m_watch->timer.expires_at(when);
    co_await m_watch->timer.async_wait(kAnswer);
    co_return !m_watch->gone;
}

net::awaitable<void> Wire::waitGone()
{
    bool here = true;
    while (here)
        here = co_await waitUntil(Clock::now() + std::chrono::hours(1));
}

void Wire::armIdleClose(Clock::duration limit)
{
    m_watch->idle.expires_after(limit);
    m_watch->idle.async_wait([watch = m_watch](const ErrorCode& error) {
        // A wait that had ended already when it was disarmed shows by the moved expiry.
        if (!error && watch->owner != nullptr && watch->idle.expiry() <= Clock::now())
            watch->owner->closeWithFin();
    });
}

void Wire::disarmIdleClose()
{
    m_watch->idle.expires_at(Clock::time_point::max());
}

net::awaitable<void> Wire::finish()
{
    if (m_tls) {
        // A client that never answers close_notify must not keep the connection for ever.
        armIdleClose(std::chrono::milliseconds(500));
        co_await m_tls->async_shutdown(kAnswer);
        disarmIdleClose();
    }
    closeWithFin();
}

void Wire::closeWithReset()
{
    ErrorCode ignored;
    m_socket.set_option(net::socket_base::linger(true, 0), ignored);
    m_socket.close(ignored);
}

void Wire::closeWithFin()
{
    ErrorCode ignored;
    m_socket.shutdown(Tcp::socket::shutdown_send, ignored);
    m_socket.close(ignored);
}

} // namespace weir::fake
