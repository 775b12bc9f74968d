// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace weir::routing {

/// Statistics and incidents count in whole minutes, on a grid that may begin anywhere.
inline constexpr std::int64_t kMinuteMs = 60'000;

} // namespace weir::routing
