// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/pages.h"
#include "agent/http/head.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace weir::admin {

/// Times are in ticks of the server, so that no connection needs a timer of its own.
struct ConnectionLimits
{
    std::size_t headBytes = 16384;
    /// From the first byte of a head, and from connecting, to the head's end.
    int headTicks = 10;
    /// Between two requests.
    int idleTicks = 60;
    /// For a whole answer to be taken by the client.
    int writeTicks = 10;
    /// A live reader that has not taken a snapshot while so many newer ones came is dropped.
    int snapshotsMissed = 5;
};

/// One client of the admin pages, from its first request to the end. On the admin thread alone;
/// owned by the server until `run` is over.
class Connection final
{
public:
    Connection(
        boost::asio::ip::tcp::socket socket, const Pages& pages, const ConnectionLimits& limits);

    boost::asio::awaitable<void> run();

    /// A tick has passed; closes when the time for what it waits for is up.
    void tick();
    /// The newest snapshot, for a live reader. It replaces one that could not be sent yet.
    void publish(const std::shared_ptr<const std::string>& snapshot);
    /// Ends every wait; `run` returns soon after.
    void close();

    [[nodiscard]] bool isLive() const { return m_live; }

private:
    /// Nothing where the connection ended; more than the limit where the head is too long.
    boost::asio::awaitable<std::optional<std::size_t>> readHead();
    /// Whether another request may follow.
    boost::asio::awaitable<bool> serve(std::size_t headSize);
    boost::asio::awaitable<bool> write(const Answer& answer, bool withBody, bool keepAlive);
    boost::asio::awaitable<void> streamSnapshots();
    /// Lets the client read the last answer before the socket goes.
    boost::asio::awaitable<void> linger();

    static constexpr int kForever = -1;

    boost::asio::ip::tcp::socket m_socket;
    const Pages& m_pages;
    const ConnectionLimits& m_limits;
    boost::asio::steady_timer m_wake;
    http::HeadEnd m_headEnd;
    std::string m_input;
    std::array<char, 4096> m_scratch{};
    int m_ticksLeft = 0;
    bool m_live = false;
    bool m_writing = false;
    int m_missed = 0;
    std::shared_ptr<const std::string> m_next;
};

} // namespace weir::admin
