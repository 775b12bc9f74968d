// SPDX-License-Identifier: Apache-2.0
#include "agent/net/listener.h"

#include <sys/socket.h>

namespace weir::net {
namespace {

using ReusePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

constexpr std::chrono::milliseconds kAcceptBackOff{50};

} // namespace

Listener::Listener(Worker& worker, tcp::acceptor acceptor)
    : m_worker(worker)
    , m_acceptor(std::move(acceptor))
    , m_backOff(worker.io())
{
}

Result<std::unique_ptr<Listener>>
Listener::open(Worker& worker, const std::string& host, std::uint16_t port, bool shared)
{
    const std::string where = host + ':' + std::to_string(port);
    error_code error;
    const std::string numeric = host == "localhost" ? "127.0.0.1" : host;
    const asio::ip::address address = asio::ip::make_address(numeric, error);
    if (error) return fail("listen", where, "is not a numeric address such as 127.0.0.1");
    const tcp::endpoint endpoint(address, port);
    tcp::acceptor acceptor(worker.io());
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error && shared) acceptor.set_option(ReusePort(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
        return fail(
            "listen",
            where,
            "cannot listen (" + error.message() + "): choose another address or stop who has it");
    }
    return std::unique_ptr<Listener>(new Listener(worker, std::move(acceptor)));
}

Task<> Listener::run(std::function<void(std::unique_ptr<Stream>)> accepted)
{
    while (m_acceptor.is_open()) {
        tcp::socket socket(m_worker.io());
        const auto [error] = co_await m_acceptor.async_accept(socket, kAwait);
        if (!error) {
            accepted(std::make_unique<Stream>(m_worker, std::move(socket)));
        } else if (m_acceptor.is_open() && error != asio::error::connection_aborted) {
            m_backOff.expires_after(kAcceptBackOff);
            co_await m_backOff.async_wait(kAwait);
        }
    }
}

void Listener::stop()
{
    error_code ignored;
    m_acceptor.close(ignored);
    m_backOff.cancel();
}

std::uint16_t Listener::port() const
{
    error_code ignored;
    return m_acceptor.local_endpoint(ignored).port();
}

} // namespace weir::net
