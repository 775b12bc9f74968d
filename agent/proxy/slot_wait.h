// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/slots.h"
#include "agent/net/asio.h"
#include "common/base/time.h"

namespace weir::proxy {

/// How one request waits for a slot of a route that can do so much at once. Lives on its worker's
/// thread.
class SlotWait final
{
public:
    explicit SlotWait(net::asio::io_context& io)
        : m_io(io)
    {
    }

    /// A slot; none where the queue is full, the time is over, or nobody wants it any more.
    [[nodiscard]] net::Task<fleet::Slot> take(fleet::Slots& server, bool batch, Duration longest);

    /// The client has gone, or the agent stops: whoever waits gives up, now and later.
    void cancel();

private:
    net::asio::io_context& m_io;
    net::asio::steady_timer* m_timer = nullptr;
    bool m_isCancelled = false;
};

} // namespace weir::proxy
