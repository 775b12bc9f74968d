// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/plan.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <optional>
#include <string_view>

namespace weir::fake {

namespace net = boost::asio;
using Tcp = net::ip::tcp;

/// One connection, plain or TLS, with the rude endings that a real one can have. While it waits it
/// watches for the peer going away, because a provider has to notice that too.
class Wire final
{
public:
    /// `bytesOut` counts every byte written, while it is written.
    Wire(Tcp::socket socket, net::ssl::context* tls, std::uint64_t& bytesOut);
    ~Wire();
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    /// False if the TLS handshake failed. Does nothing on a plain connection.
    [[nodiscard]] net::awaitable<bool> handshake();

    /// Bytes read; 0 at the end of the connection or on any error.
    [[nodiscard]] net::awaitable<std::size_t> readSome(net::mutable_buffer into);

    /// Writes everything, in pieces of `segmentBytes` if that is not 0. False if the peer is gone.
    [[nodiscard]] net::awaitable<bool> write(std::string_view bytes, std::uint64_t segmentBytes);

    /// False if the peer went away before `when`.
    [[nodiscard]] net::awaitable<bool> waitUntil(Clock::time_point when);

    /// Until the peer is gone.
    [[nodiscard]] net::awaitable<void> waitGone();

    /// Closes the connection after `limit`, unless disarmed before.
    void armIdleClose(Clock::duration limit);
    void disarmIdleClose();

    /// Stops watching; needed before the next readSome.
    void endWatch();

    /// The polite end: TLS close_notify if there is TLS, then FIN.
    [[nodiscard]] net::awaitable<void> finish();
    void closeWithReset();
    void closeWithFin();

private:
    struct Watch;

    void startWatch();

    Tcp::socket m_socket;
    std::optional<net::ssl::stream<Tcp::socket&>> m_tls;
    std::shared_ptr<Watch> m_watch;
    std::uint64_t& m_bytesOut;
};

} // namespace weir::fake
