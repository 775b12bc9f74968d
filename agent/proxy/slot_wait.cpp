// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/slot_wait.h"

#include <memory>

namespace weir::proxy {

net::Task<fleet::Slot> SlotWait::take(fleet::Slots& server, bool batch, Duration longest)
{
    fleet::Slot slot = server.tryTake();
    if (slot || m_isCancelled) co_return std::move(slot);
    // Whoever gives the slot is on another thread, perhaps, and must not outlive the timer.
    const auto timer = std::make_shared<net::asio::steady_timer>(m_io, longest);
    const fleet::Slots::Wake wake = [&io = m_io, timer] {
        net::asio::post(io, [timer] { timer->cancel(); });
    };
    const std::uint64_t place = server.enter(batch, wake);
    if (place == 0) co_return std::move(slot);
    m_timer = timer.get();
    const auto waited = co_await timer->async_wait(net::kAwait);
    static_cast<void>(waited);
    m_timer = nullptr;
    slot = server.leave(place);
    if (m_isCancelled) slot = {};
    co_return std::move(slot);
}

void SlotWait::cancel()
{
    m_isCancelled = true;
    if (m_timer != nullptr) m_timer->cancel();
}

} // namespace weir::proxy
