// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/routing/route_gate.h"

#include <string>
#include <string_view>

namespace weir::fleet {

/// The text of a gate's lasting part: its rate, breaker, cap, and the hold of its account.
[[nodiscard]] std::string
encodeGate(const routing::GateState& state, const routing::AccountHold& account);

/// Error code "bad_gate_state".
[[nodiscard]] Status<>
decodeGate(std::string_view text, routing::GateState& state, routing::AccountHold& account);

} // namespace weir::fleet
