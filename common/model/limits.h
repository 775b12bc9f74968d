// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>

namespace weir {

/// Table [timing] of the configuration file (contract section 4).
struct TimingConfig
{
    std::chrono::seconds summaryInterval{300};
    std::chrono::seconds summaryMaxAge{900};
    std::chrono::milliseconds settingsPoll{2000};
    std::chrono::seconds settingsGrace{15};
    std::chrono::seconds breakerOpen{15};
    std::chrono::milliseconds ledgerFlush{1000};
    std::chrono::seconds drain{30};
};

/// Table [limits]: every queue, body and connection count has its bound here.
struct LimitsConfig
{
    std::size_t headBytes = 65536;
    std::size_t bodyBytes = 67108864;
    std::size_t sseLineBytes = 16777216;
    int clientConnections = 10000;
    std::chrono::seconds clientWriteStall{30};
    std::chrono::seconds clientIdle{120};
    std::chrono::seconds total{600};
    /// The spool refuses records above this, and says so in an alert.
    std::size_t spoolBytes = 1073741824;
};

} // namespace weir
