// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_view.h"
#include "agent/protocol/usage.h"
#include "common/model/config.h"

namespace weir::protocol {

/// Reads a `usage` object of the protocol into `counts`; fields that are missing stay as they are.
[[nodiscard]] json::error_code
readUsage(Protocol protocol, json::od::value& value, UsageCounts& counts);

/// Reads OpenAI's `message` or `delta`.
[[nodiscard]] json::error_code readOpenAiMessage(json::od::value& value, OutputSeen& output);

/// Reads one of Anthropic's content blocks or deltas: what of its strings is output.
[[nodiscard]] json::error_code
readAnthropicBlock(json::Raw key, json::od::value& value, OutputSeen& output);

} // namespace weir::protocol
