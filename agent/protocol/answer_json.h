// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/api.h"
#include "agent/protocol/json_view.h"
#include "agent/protocol/usage.h"

#include <string>

namespace weir::protocol {

/// Reads a `usage` object into `counts`; fields that are missing stay as they are.
[[nodiscard]] json::error_code readUsage(Api api, json::od::value& value, UsageCounts& counts);

/// A string counts with its text; a list of content parts (Mistral's) with its bytes.
[[nodiscard]] json::error_code readText(json::od::value& value, OutputSeen& output);

/// Reads OpenAI's `message` or `delta`.
[[nodiscard]] json::error_code readOpenAiMessage(json::od::value& value, OutputSeen& output);

/// Reads one of Anthropic's content blocks or deltas: what of its strings is output.
[[nodiscard]] json::error_code
readAnthropicBlock(json::Raw key, json::od::value& value, OutputSeen& output);

/// Reads one item of a Responses `output`: a message or reasoning without text is no output, any
/// other kind is output by being there.
[[nodiscard]] json::error_code readResponsesItem(json::od::value& item, OutputSeen& output);

/// Reads a member of a Responses object: its `status`, or why that is "incomplete".
[[nodiscard]] json::error_code
readResponsesStatus(json::Raw key, json::od::value& value, std::string& finishReason);

} // namespace weir::protocol
