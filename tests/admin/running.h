// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/server.h"
#include "tests/admin/world.h"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

namespace weir::admin {

/// A server on a thread of its own, with ticks of five milliseconds.
class Running final
{
public:
    explicit Running(const std::function<void(ServerOptions&, World&)>& change = {})
    {
        ServerOptions options;
        options.listen.port = 0;
        options.tick = std::chrono::milliseconds(5);
        // What a test does not speak about must not close its connections.
        options.limits = {16384, 100000, 100000, 100000, 100000};
        if (change) change(options, world);
        const CallRecord record = call("baseten");
        stats.add(std::span(&record, 1), at(0).instant);
        decisions.add(std::span(&record, 1), world.config);
        server =
            *Server::open(io, options, world.sources(), stats, decisions, [] { return at(1); });
        server->start();
        m_thread = std::thread([this] { io.run(); });
    }

    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    ~Running() { stop(); }

    void stop()
    {
        if (!m_thread.joinable()) return;
        server->stop();
        m_thread.join();
    }

    [[nodiscard]] std::uint16_t port() const { return server->port(); }

    World world;
    LiveStats stats{at(-600).instant};
    RecentDecisions decisions;
    boost::asio::io_context io;
    std::unique_ptr<Server> server;

private:
    std::thread m_thread;
};

inline constexpr const char* kGet = "GET /livez HTTP/1.1\r\nHost: test\r\n\r\n";

} // namespace weir::admin
