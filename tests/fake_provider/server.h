// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/session.h"

#include <boost/asio/io_context.hpp>

#include <optional>
#include <string>

namespace weir::fake {

struct ServerOptions
{
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;                   // 0 = pick one
    std::optional<std::uint16_t> controlPort; // a second door that stays open, 0 = pick one
    std::string tlsCertFile;                  // PEM chain; empty = plain HTTP
    std::string tlsKeyFile;
};

/// The listeners and what all connections share.
class Server final
{
public:
    /// Error codes "tls" and "listen".
    static Result<std::unique_ptr<Server>>
    open(net::io_context& context, Provider& provider, const ServerOptions& options);

    [[nodiscard]] std::uint16_t port() const { return m_port; }

    [[nodiscard]] std::optional<std::uint16_t> controlPort() const;

private:
    Server(net::io_context& context, Provider& provider);

    Status<> start(const ServerOptions& options);
    Status<> listen(Tcp::acceptor& acceptor, std::uint16_t port);
    net::awaitable<void>
    acceptLoop(Tcp::acceptor& acceptor, Counters& counters, net::ssl::context* tls);
    void followScript();

    net::io_context& m_context;
    Shared m_shared;
    net::ip::address m_address;
    std::optional<net::ssl::context> m_tls;
    Tcp::acceptor m_acceptor;
    Tcp::acceptor m_control;
    std::uint16_t m_port = 0;
};

} // namespace weir::fake
