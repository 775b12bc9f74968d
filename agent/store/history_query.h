// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/ledger_query.h"
#include "common/base/histogram.h"
#include "common/base/time.h"

#include <chrono>
#include <string>

namespace weir::store {

/// No chart asks for more points a series (contract section 6).
inline constexpr int kHistoryPointsMax = 2000;

/// `step` is a whole multiple of 10 s; the range holds at most kHistoryPointsMax of it. An empty
/// model means all of them.
struct HistoryQuery
{
    std::string model;
    UtcTime from{};
    UtcTime to{};
    std::chrono::seconds step{60};
};

/// One step of one provider; steps without attempts have no point.
struct HistoryPoint
{
    UtcTime at{};
    std::string provider;
    CallSums sums;
    /// Microseconds to the first output.
    Histogram ttftUs;
    /// Thousandths of an output token per second, first output to last.
    Histogram milliTps;
};

/// What one route did between two moments, of all agents together.
struct RouteActivity
{
    std::string model;
    std::string provider;
    CallSums sums;
    /// Microseconds to the first output.
    Histogram ttftUs;
    /// Thousandths of an output token per second, first output to last.
    Histogram milliTps;
};

} // namespace weir::store
