// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/stream.h"
#include "common/base/result.h"

#include <functional>
#include <memory>
#include <string>

namespace weir::net {

/// Accepts connections of one address on one worker. Several workers share an address by
/// SO_REUSEPORT.
class Listener final
{
public:
    /// Error code "listen" with the address and what to do.
    [[nodiscard]] static Result<std::unique_ptr<Listener>>
    open(Worker& worker, const std::string& host, std::uint16_t port, bool shared);

    /// Hands over each new connection, until `stop()`. Where the process is out of descriptors it
    /// waits a little instead of spinning.
    [[nodiscard]] Task<> run(std::function<void(std::unique_ptr<Stream>)> accepted);

    void stop();

    [[nodiscard]] std::uint16_t port() const;

private:
    Listener(Worker& worker, tcp::acceptor acceptor);

    Worker& m_worker;
    tcp::acceptor m_acceptor;
    asio::steady_timer m_backOff;
};

} // namespace weir::net
