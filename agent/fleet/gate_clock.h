// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"

#include <cstdint>

namespace weir::fleet {

/// The clock of gates: milliseconds that go on where they were after a restart, and that neither
/// jump nor run back while the process lives. Counted from the epoch, but only roughly: set once.
class GateClock final
{
public:
    GateClock(Instant now, UtcTime utc);

    [[nodiscard]] std::int64_t at(Instant now) const;

private:
    Instant m_start;
    std::int64_t m_startMs;
};

} // namespace weir::fleet
