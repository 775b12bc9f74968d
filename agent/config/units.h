// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/config/section.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::config {

/// The whole number that a person meant by "2s", "500 ms", "64MiB" or "2000" where a number of
/// `unit` was wanted. Nothing where it is not clear, not whole, or beyond 2^53.
[[nodiscard]] std::optional<std::int64_t> meantBy(std::string_view text, Unit unit);

/// The nearest whole number, within 2^53.
[[nodiscard]] std::optional<std::int64_t> wholeNear(double value);

/// The shortest decimal that reads back as the same number: 0.1, 600000, nan.
[[nodiscard]] std::string decimal(double value);

/// US dollars per million tokens as pico-dollars per token, exactly. Nothing where the number has
/// more than six decimals. `usd` must be between 0 and `kMaxUsdPerMillion`.
[[nodiscard]] std::optional<std::int64_t> picoPerToken(double usd);

inline constexpr double kMaxUsdPerMillion = 1'000'000.0;

} // namespace weir::config
