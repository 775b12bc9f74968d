// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/server.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <exception>
#include <iterator>
#include <string>

namespace weir::admin {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);

Result<tcp::endpoint> resolve(asio::io_context& io, const Endpoint& listen)
{
    boost::system::error_code error;
    tcp::resolver resolver(io);
    const auto found =
        resolver.resolve(listen.host, std::to_string(listen.port), tcp::resolver::passive, error);
    if (error || found.empty()) {
        return fail("bad_address", "admin_listen", "cannot find the address of " + listen.host);
    }
    return found.begin()->endpoint();
}

Result<tcp::acceptor> listenOn(asio::io_context& io, const tcp::endpoint& endpoint)
{
    boost::system::error_code error;
    tcp::acceptor acceptor(io);
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
        return fail(
            "bind_failed",
            "admin_listen",
            "cannot listen on " + endpoint.address().to_string() + " port " +
                std::to_string(endpoint.port()) + ": " + error.message());
    }
    return acceptor;
}

} // namespace

Result<std::unique_ptr<Server>> Server::open(
    asio::io_context& io,
    ServerOptions options,
    Sources sources,
    const LiveStats& stats,
    const RecentDecisions& decisions,
    std::function<Now()> now)
{
    const Result<tcp::endpoint> endpoint = resolve(io, options.listen);
    if (!endpoint) return tl::unexpected(endpoint.error());
    if (!endpoint->address().is_loopback() && options.token.empty()) {
        return fail(
            "admin_token_missing",
            "admin_listen",
            "off loopback the admin pages need a bearer token; name its variable in "
            "admin_token_env");
    }
    Result<tcp::acceptor> acceptor = listenOn(io, *endpoint);
    if (!acceptor) return tl::unexpected(acceptor.error());
    return std::unique_ptr<Server>(new Server(
        io, std::move(*acceptor), options, std::move(sources), stats, decisions, std::move(now)));
}

Server::Server(
    asio::io_context& io,
    tcp::acceptor acceptor,
    const ServerOptions& options,
    Sources sources,
    const LiveStats& stats,
    const RecentDecisions& decisions,
    std::function<Now()> now)
    : m_io(io)
    , m_acceptor(std::move(acceptor))
    , m_timer(io)
    , m_acceptPause(io)
    , m_options(options)
    , m_pages(std::move(sources), stats, decisions, std::move(now), options.token)
    , m_port(m_acceptor.local_endpoint().port())
{
}

void Server::start()
{
    // What escapes a loop is a failed allocation; `run()` passes it on to main.
    const auto rethrow = [](const std::exception_ptr& error) {
        if (error) std::rethrow_exception(error);
    };
    asio::co_spawn(m_io, acceptClients(), rethrow);
    asio::co_spawn(m_io, keepTime(), rethrow);
}

void Server::stop()
{
    asio::post(m_io, [this] {
        m_stopped = true;
        boost::system::error_code ignored;
        m_acceptor.close(ignored);
        m_acceptPause.cancel();
        m_timer.cancel();
        for (Connection& connection : m_connections)
            connection.close();
    });
}

asio::awaitable<void> Server::acceptClients()
{
    while (!m_stopped) {
        auto [error, socket] = co_await m_acceptor.async_accept(kResult);
        if (!error) {
            serve(std::move(socket));
        } else if (!m_stopped && error != asio::error::connection_aborted) {
            // Out of descriptors, most likely: trying again at once would only burn the processor.
            m_acceptPause.expires_after(m_options.tick);
            co_await m_acceptPause.async_wait(kResult);
        }
    }
}

void Server::serve(tcp::socket socket)
{
    // One too many is closed unanswered: whoever opens so many reads no answers. So is one that was
    // accepted in the moment of the stop, for nobody would end it later.
    if (m_stopped || m_connections.size() >= m_options.connectionsMax) return;
    m_connections.emplace_back(std::move(socket), m_pages, m_options.limits);
    const auto place = std::prev(m_connections.end());
    // An exception is a failed allocation, and ends that client alone.
    asio::co_spawn(m_io, place->run(), [this, place](const std::exception_ptr&) {
        m_connections.erase(place);
    });
}

asio::awaitable<void> Server::keepTime()
{
    while (!m_stopped) {
        m_timer.expires_after(m_options.tick);
        co_await m_timer.async_wait(kResult);
        const bool live = std::any_of(
            m_connections.begin(), m_connections.end(), [](const Connection& connection) {
                return connection.isLive();
            });
        std::shared_ptr<const std::string> snapshot;
        if (live && !m_stopped) {
            snapshot = std::make_shared<const std::string>(m_pages.snapshotEvent());
        }
        for (Connection& connection : m_connections) {
            connection.tick();
            if (snapshot && connection.isLive()) connection.publish(snapshot);
        }
    }
}

} // namespace weir::admin
