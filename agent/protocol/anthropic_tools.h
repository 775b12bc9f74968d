// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/translation.h"

namespace weir::protocol {

/// `tools` and `tool_choice` of a Messages request out of a Chat Completions request (wire case
/// B075).
[[nodiscard]] bool writeAnthropicTools(const json::Node& request, const Translation& to);

} // namespace weir::protocol
