// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/decision.h"
#include "common/model/decision_input.h"

#include <cstdint>

namespace weir::routing {

/// When batch work that was put off should come back, in milliseconds (1 s to 5 min): when the
/// first of the routes that may serve it is expected to have room, and up to as long again, by the
/// request's own coin, so that those put off together do not come back together.
[[nodiscard]] std::int64_t shedWaitMs(const DecisionInput& input, const Decision& decision);

} // namespace weir::routing
