// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace weir::routing {

/// What a detector makes of the newest minute.
enum class Turn : std::uint8_t {
    /// Nothing new: still calm, or still bad.
    Stay,
    Open,
    Close,
};

struct IncidentSignal
{
    Turn turn = Turn::Stay;
    /// How many minutes before the newest one the trouble began (`Open`), or the first calm minute
    /// lies (`Close`); 0 = the newest minute itself.
    std::int64_t minutesAgo = 0;
    /// How bad this minute is, in the detector's own unit; the largest one is the peak. 0 = not.
    std::int64_t severity = 0;
    /// Only with `Open` and `Close`: what it was seen by.
    std::string detail;
};

/// Thousandths of a percent and the like as a person reads them: 125,000 ppm = "12.5 %".
[[nodiscard]] std::string percentText(std::int64_t ppm);
/// "x2.8" of 2,800,000 ppm.
[[nodiscard]] std::string timesText(std::int64_t ppm);

} // namespace weir::routing
