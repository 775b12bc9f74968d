// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace weir::routing {

/// The unit in which calls are counted and incidents judged, in milliseconds.
inline constexpr std::int64_t kMinuteMs = 60'000;

} // namespace weir::routing
