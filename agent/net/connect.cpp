// SPDX-License-Identifier: Apache-2.0
#include "agent/net/connect.h"

#include "agent/net/clock.h"

#include <algorithm>
#include <vector>

namespace weir::net {
namespace {

/// Closes the socket of a connection attempt that takes too long.
class ConnectDeadline final : private Sweep::Entry
{
public:
    ConnectDeadline(Sweep& sweep, tcp::socket& socket, Instant deadline)
        : Entry(sweep)
        , m_socket(socket)
    {
        arm(deadline);
    }

    [[nodiscard]] bool passed() const { return m_passed; }

private:
    void onDeadline() override
    {
        m_passed = true;
        error_code ignored;
        m_socket.cancel(ignored);
    }

    tcp::socket& m_socket;
    bool m_passed = false;
};

/// Only the very first requests after a start can find a look-up still under way.
Task<IoResult<std::vector<asio::ip::address>>>
resolve(Worker& worker, const Names& names, const std::string& host, Instant deadline)
{
    for (;;) {
        auto found = names.find(host);
        if (found && found->empty()) co_return ioFail(IoError::NameUnknown);
        if (found) co_return std::move(*found);
        if (monotonicNow() >= deadline) co_return ioFail(IoError::Timeout);
        asio::steady_timer timer(worker.io(), std::chrono::milliseconds{5});
        co_await timer.async_wait(kAwait);
    }
}

} // namespace

Task<IoResult<std::unique_ptr<Stream>>>
connect(Worker& worker, const Names& names, const Remote& remote, Instant deadline)
{
    const auto addresses = co_await resolve(worker, names, remote.host, deadline);
    if (!addresses) co_return ioFail(addresses.error());
    IoError last = IoError::NameUnknown;
    for (std::size_t i = 0; i < addresses->size(); ++i) {
        // An address that swallows packets must leave time for those behind it.
        const Instant now = monotonicNow();
        const auto left = static_cast<Duration::rep>(addresses->size() - i);
        const Instant until = now + (deadline - now) / left;
        tcp::socket socket(worker.io());
        const tcp::endpoint endpoint((*addresses)[i], remote.port);
        ConnectDeadline guard(worker.sweep(), socket, until);
        const auto [error] = co_await socket.async_connect(endpoint, kAwait);
        if (error) {
            last = guard.passed() ? IoError::Timeout : fromSystem(error);
            continue;
        }
        auto stream = std::make_unique<Stream>(worker, std::move(socket));
        if (remote.tls) {
            const IoStatus safe = co_await stream->handshake(*remote.tls, deadline);
            if (!safe) co_return ioFail(safe.error());
        }
        co_return stream;
    }
    co_return ioFail(last);
}

} // namespace weir::net
