// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/server.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace weir::fake {

namespace {

using ErrorCode = boost::system::error_code;
constexpr auto kAnswer = net::as_tuple(net::use_awaitable);
constexpr int kBacklog = 4096;

net::awaitable<void>
runSession(Shared& shared, Counters& counters, Tcp::socket socket, net::ssl::context* tls)
{
    Session session(shared, counters, std::move(socket), tls);
    co_await session.run();
}

Status<> loadTls(net::ssl::context& tls, const ServerOptions& options)
{
    ErrorCode error;
    tls.use_certificate_chain_file(options.tlsCertFile, error);
    if (error) return fail("tls", options.tlsCertFile, error.message());
    tls.use_private_key_file(options.tlsKeyFile, net::ssl::context::pem, error);
    if (error) return fail("tls", options.tlsKeyFile, error.message());
    return {};
}

} // namespace

Server::Server(net::io_context& context, Provider& provider)
    : m_context(context)
    , m_shared{provider, {}, {}, {}}
    , m_acceptor(context)
    , m_control(context)
{
    m_shared.scriptChanged = [this] { followScript(); };
}

Result<std::unique_ptr<Server>>
Server::open(net::io_context& context, Provider& provider, const ServerOptions& options)
{
    std::unique_ptr<Server> server(new Server(context, provider));
    if (auto started = server->start(options); !started)
        return tl::unexpected<Error>(started.error());
    return server;
}

Status<> Server::start(const ServerOptions& options)
{
    ErrorCode error;
    m_address = net::ip::make_address(options.address, error);
    if (error) return fail("listen", options.address, error.message());
    if (!options.tlsCertFile.empty()) {
        m_tls.emplace(net::ssl::context::tls_server);
        if (auto loaded = loadTls(*m_tls, options); !loaded) return loaded;
    }
    if (options.controlPort) {
        if (auto opened = listen(m_control, *options.controlPort); !opened) return opened;
        net::co_spawn(m_context, acceptLoop(m_control, m_shared.aside, nullptr), net::detached);
    }
    if (auto opened = listen(m_acceptor, options.port); !opened) return opened;
    m_port = m_acceptor.local_endpoint().port();
    net::co_spawn(
        m_context,
        acceptLoop(m_acceptor, m_shared.provider.counters, m_tls ? &*m_tls : nullptr),
        net::detached);
    followScript();
    return {};
}

std::optional<std::uint16_t> Server::controlPort() const
{
    if (!m_control.is_open()) return std::nullopt;
    return m_control.local_endpoint().port();
}

Status<> Server::listen(Tcp::acceptor& acceptor, std::uint16_t port)
{
    const Tcp::endpoint endpoint(m_address, port);
    ErrorCode error;
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(Tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(kBacklog, error);
    if (!error) return {};
    ErrorCode ignored;
    acceptor.close(ignored);
    return fail("listen", m_address.to_string() + ":" + std::to_string(port), error.message());
}

net::awaitable<void>
Server::acceptLoop(Tcp::acceptor& acceptor, Counters& counters, net::ssl::context* tls)
{
    net::steady_timer pause(m_context);
    while (acceptor.is_open()) {
        auto [error, socket] = co_await acceptor.async_accept(kAnswer);
        if (!error) {
            net::co_spawn(
                m_context, runSession(m_shared, counters, std::move(socket), tls), net::detached);
        } else if (error != net::error::operation_aborted) {
            // Out of descriptors, most likely: give the connections time to end.
            pause.expires_after(std::chrono::milliseconds(50));
            co_await pause.async_wait(kAnswer);
        }
    }
}

/// Opens or closes the door as the script says. A closed door also ends idle connections: whoever
/// comes next shall be refused.
void Server::followScript()
{
    const bool wanted = m_shared.provider.script().listening;
    if (wanted == m_acceptor.is_open()) return;
    if (wanted) {
        if (listen(m_acceptor, m_port))
            net::co_spawn(
                m_context,
                acceptLoop(m_acceptor, m_shared.provider.counters, m_tls ? &*m_tls : nullptr),
                net::detached);
        return;
    }
    ErrorCode ignored;
    m_acceptor.close(ignored);
    for (Wire* wire : m_shared.idle)
        wire->closeWithFin();
}

} // namespace weir::fake
