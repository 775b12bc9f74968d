// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"

#include <chrono>
#include <optional>
#include <string_view>

namespace weir::protocol {

/// A plain decimal number ("3", "-1", "0.25"), blanks around it allowed; no exponent, no "inf".
[[nodiscard]] std::optional<double> decimal(std::string_view text);

/// Rounded up to whole milliseconds; negatives are 0, and a hundred years is the most.
[[nodiscard]] std::chrono::milliseconds fromMilliseconds(double ms);
[[nodiscard]] std::chrono::milliseconds fromSeconds(double seconds);

struct UnitDuration
{
    std::chrono::milliseconds length;
    /// What stands behind it.
    std::string_view rest;
};

/// A span with its units at the front of `text`: "1.5s", "6m0s", "12ms", "20 seconds", "1h2m".
[[nodiscard]] std::optional<UnitDuration> unitDuration(std::string_view text);

/// The three date forms of RFC 9110 section 5.6.7; the day's name is not checked.
[[nodiscard]] std::optional<UtcTime> httpDate(std::string_view text);

} // namespace weir::protocol
