// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/clock.h"
#include "common/base/time.h"

#include <atomic>
#include <chrono>
#include <cstdint>

namespace weir::run {

/// The time as the fleet's database has it, as far as it was ever asked: what agents tell each
/// other is dated by it, so that one agent's wrong clock disturbs nobody. Any thread.
class StoreClock final
{
public:
    /// This agent's clock minus the database's.
    void setSkew(std::chrono::milliseconds skew)
    {
        m_skewMs.store(skew.count(), std::memory_order_relaxed);
    }

    [[nodiscard]] std::chrono::milliseconds skew() const
    {
        return std::chrono::milliseconds{m_skewMs.load(std::memory_order_relaxed)};
    }

    [[nodiscard]] UtcTime now() const { return net::utcNow() - skew(); }

private:
    std::atomic<std::int64_t> m_skewMs{0};
};

} // namespace weir::run
