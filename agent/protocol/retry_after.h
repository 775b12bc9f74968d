// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/head.h"
#include "common/base/time.h"

#include <chrono>
#include <optional>
#include <span>
#include <string_view>

namespace weir::protocol {

/// How long a provider asks us to wait (contract section 2): `retry-after-ms`,
/// `x-ms-retry-after-ms`, `retry-after` (seconds, fractions, HTTP date), then rate-limit reset
/// headers of an exhausted limit, then hints in the body ("try again in 1.5s", Google's
/// `retryDelay`). Junk is ignored, the past and negatives are 0. Not capped.
[[nodiscard]] std::optional<std::chrono::milliseconds>
retryAfter(std::span<const http::Field> fields, std::string_view body, UtcTime now);

} // namespace weir::protocol
