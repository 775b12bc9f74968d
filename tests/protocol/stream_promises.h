// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"

#include <optional>
#include <string>
#include <string_view>

namespace weir::protocol::promises {

/// What a client of that protocol relies on in a stream, whatever the upstream sent: every event is
/// JSON, everything stands in its order, and there is one end where the answer is complete and none
/// where it is not. Returns the first promise that `stream` breaks.
[[nodiscard]] std::optional<std::string>
broken(Protocol client, std::string_view stream, bool isComplete);

/// Strictly JSON. Halves of surrogate pairs, which some providers cut in two, count as characters.
[[nodiscard]] bool isJson(std::string_view text);

} // namespace weir::protocol::promises
