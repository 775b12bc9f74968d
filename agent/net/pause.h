// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/asio.h"
#include "common/base/time.h"

namespace weir::net {

/// Lets the others run for so long. For what is rare: it arms a timer of its own.
[[nodiscard]] Task<> pauseFor(Duration duration);

} // namespace weir::net
