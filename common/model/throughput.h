// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/call_record.h"

#include <cstdint>
#include <optional>

namespace weir {

/// The decode rate of one attempt in thousandths of a token per second: tokens after the first over
/// the time after the first (routing.md section 1). Nothing where it would say nothing: an answer
/// that did not stream or did not end well, fewer than 16 tokens, or no measurable time.
[[nodiscard]] std::optional<std::int64_t> milliTokensPerS(const CallRecord& record);

} // namespace weir
