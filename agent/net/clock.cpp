// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"

namespace weir::net {

Instant monotonicNow()
{
    return Instant{std::chrono::steady_clock::now().time_since_epoch()};
}

UtcTime utcNow()
{
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

} // namespace weir::net
