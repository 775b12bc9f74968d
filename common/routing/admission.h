// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/aimd.h"

#include <array>
#include <cstdint>

namespace weir::routing {

/// What was sent less what was permitted, after `elapsedMs`; in thousand-millionths of a request.
/// Unused permission counts for 2 s at most, excess for 5 s (one request at least): a burst sent
/// before a cut was known must not shut the route for minutes.
[[nodiscard]] std::int64_t
debtAfter(std::int64_t debtNano, std::int64_t limitMicro, std::int64_t elapsedMs);

/// Admission probabilities by class (routing.md section 5): strict priority, but exploring keeps
/// half of the sampling rate, or nothing would ever be learned about a route that is full; not
/// where a quota says how much it is.
[[nodiscard]] std::array<std::int32_t, kGateClasses>
admission(const GateScene& scene, std::int64_t limitMicro, std::int64_t debtNano);

/// Rate of one agent's guard bucket: 1.5 times its share of the limit, and its part of what nobody
/// asks for.
[[nodiscard]] std::int64_t
guardMicro(const GateScene& scene, std::int64_t limitMicro, std::int64_t wantMicro);

} // namespace weir::routing
