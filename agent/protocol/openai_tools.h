// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/translation.h"

namespace weir::protocol {

/// `tools`, `tool_choice` and `parallel_tool_calls` of a Chat Completions request out of a Messages
/// request (wire cases B075, B093).
[[nodiscard]] bool writeOpenAiTools(const json::Node& request, const Translation& to);

} // namespace weir::protocol
