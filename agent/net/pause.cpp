// SPDX-License-Identifier: Apache-2.0
#include "agent/net/pause.h"

namespace weir::net {

Task<> pauseFor(Duration duration)
{
    auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor, duration);
    // Only the end of the context could cancel it, and then nobody waits any more.
    const auto waited = co_await timer.async_wait(kAwait);
    static_cast<void>(waited);
}

} // namespace weir::net
