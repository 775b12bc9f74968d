// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/policy.h"

#include <algorithm>
#include <cstdint>

namespace weir::routing {

/// What keeps retries from multiplying an outage: one bucket an agent, a tenth of a token a
/// success, at most ten, one for each same-route retry, hedge or second failover (routing.md
/// section 9; numbers of gRPC's A6). The first failover of a request is free: an outage must fail
/// over everything.
class RetryBudget final
{
public:
    void onSuccess() { m_ppm = std::min(kMost, m_ppm + kPerSuccess); }

    /// False, and nothing taken, where less than one is left.
    [[nodiscard]] bool take()
    {
        if (m_ppm < kPpm) return false;
        m_ppm -= kPpm;
        return true;
    }

    [[nodiscard]] std::int64_t ppm() const { return m_ppm; }

private:
    static constexpr std::int64_t kMost = 10 * kPpm;
    static constexpr std::int64_t kPerSuccess = kPpm / 10;

    std::int64_t m_ppm = kMost;
};

} // namespace weir::routing
