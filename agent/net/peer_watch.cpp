// SPDX-License-Identifier: Apache-2.0
#include "agent/net/peer_watch.h"

#include "agent/net/clock.h"

#include <array>
#include <utility>

namespace weir::net {

PeerWatch::PeerWatch(
    Sweep& sweep,
    Stream& client,
    std::function<std::string_view()> probe,
    std::function<void()> gone)
    : Entry(sweep)
    , m_client(client)
    , m_probe(std::move(probe))
    , m_gone(std::move(gone))
{
    arm(monotonicNow() + kDelay);
}

PeerWatch::~PeerWatch()
{
    if (m_self) *m_self = nullptr;
}

void PeerWatch::onDeadline()
{
    m_self = std::make_shared<PeerWatch*>(this);
    await(tcp::socket::wait_read);
}

void PeerWatch::await(tcp::socket::wait_type kind)
{
    m_client.socket().async_wait(kind, [self = m_self](const error_code& error) {
        if (!error && *self != nullptr) (*self)->onReady();
    });
}

void PeerWatch::onReady()
{
    const IoResult<std::size_t> found = m_client.peek();
    if (found) return; // The next request is here already: a client that sends has not gone.
    if (found.error() == IoError::WouldBlock) return await(tcp::socket::wait_read);
    if (found.error() == IoError::Eof && !m_finSeen) {
        m_finSeen = true;
        const std::array<std::string_view, 1> probe = {m_probe()};
        // The wait below sees what comes of it.
        if (!probe[0].empty()) static_cast<void>(m_client.tryWrite(probe));
        return await(tcp::socket::wait_error);
    }
    m_gone();
}

} // namespace weir::net
