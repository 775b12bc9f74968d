// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/api.h"

#include <optional>
#include <string>
#include <string_view>

namespace weir::protocol {

/// The events that a stream of this answer would have had, for a client that asked for a stream
/// where the provider sent one whole JSON answer. `body` is an answer of that protocol, with
/// `kBodyPadding` readable bytes behind it; `wantsUsage`: the client asked for OpenAI's usage
/// chunk. Nothing where the body is no such answer.
[[nodiscard]] std::optional<std::string>
answerEvents(Protocol protocol, std::string_view body, bool wantsUsage);

} // namespace weir::protocol
