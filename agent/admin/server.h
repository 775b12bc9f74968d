// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/connection.h"
#include "agent/admin/pages.h"
#include "common/base/result.h"
#include "common/model/config.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>

namespace weir::admin {

struct ServerOptions
{
    Endpoint listen{"127.0.0.1", 8791};
    /// Asked of every request where it is set; needed where `listen` is not loopback.
    Secret token;
    std::size_t connectionsMax = 64;
    ConnectionLimits limits;
    /// Between two snapshots of the live stream; the unit of the limits' ticks.
    std::chrono::milliseconds tick{1000};
};

/// The admin pages over HTTP/1.1. It lives on an `io_context` of its own that one thread runs, so
/// it never takes time from the data plane; the server must outlive that thread's `run()`, which
/// returns once `stop()` has ended every connection.
class Server final
{
public:
    /// Binds and listens, so that clients may connect from now on; they are served from `start()`.
    /// Errors: "admin_token_missing", "bad_address", "bind_failed".
    [[nodiscard]] static Result<std::unique_ptr<Server>> open(
        boost::asio::io_context& io,
        ServerOptions options,
        Sources sources,
        const LiveStats& stats,
        const RecentDecisions& decisions,
        std::function<Now()> now);

    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server() = default;

    void start();
    /// From any thread, once.
    void stop();

    /// From any thread: `/readyz` answers 200 from now on, unless the agent drains.
    void setReady() { m_pages.setReady(true); }

    [[nodiscard]] std::uint16_t port() const { return m_port; }

private:
    Server(
        boost::asio::io_context& io,
        boost::asio::ip::tcp::acceptor acceptor,
        const ServerOptions& options,
        Sources sources,
        const LiveStats& stats,
        const RecentDecisions& decisions,
        std::function<Now()> now);

    boost::asio::awaitable<void> acceptClients();
    boost::asio::awaitable<void> keepTime();
    void serve(boost::asio::ip::tcp::socket socket);

    boost::asio::io_context& m_io;
    boost::asio::ip::tcp::acceptor m_acceptor;
    boost::asio::steady_timer m_timer;
    boost::asio::steady_timer m_acceptPause;
    ServerOptions m_options;
    Pages m_pages;
    std::list<Connection> m_connections;
    std::uint16_t m_port = 0;
    bool m_stopped = false;
};

} // namespace weir::admin
