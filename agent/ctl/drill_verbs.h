// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/drill.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace weir::ctl {

struct DrillStartVerb
{
    std::string model;
    std::string provider;
    DrillKind kind = DrillKind::Breaker;
    std::int64_t sharePpm = 1'000'000;
    std::int64_t delayMs = 0;
    std::chrono::milliseconds length{0};
    std::int64_t abortFailurePpm = 50'000;
    std::string reason;
    /// Until traffic is back, and then the report.
    bool wait = false;
    /// Even on the last route of its model.
    bool force = false;
};

struct DrillStopVerb
{
    std::string id;
    std::string reason;
};

struct DrillListVerb
{
    int limit = 50;
};

struct DrillReportVerb
{
    std::string id;
};

} // namespace weir::ctl
