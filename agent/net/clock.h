// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"

namespace weir::net {

/// The doors to the real clocks; everything else is handed its time.
[[nodiscard]] Instant monotonicNow();
[[nodiscard]] UtcTime utcNow();

} // namespace weir::net
