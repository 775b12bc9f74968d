// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <simdjson.h>

// Every call of a tool has its result and every result its call: each protocol says where they have
// to stand, and its provider refuses anything else. Error code "bad_request".
namespace weir::fake {

/// Chat Completions: tool messages directly after the assistant's message, one for each call.
[[nodiscard]] Status<> checkChatPairs(simdjson::dom::array messages);

/// Messages: tool_result blocks at the beginning of the very next turn.
[[nodiscard]] Status<> checkMessagesPairs(simdjson::dom::array messages);

/// Responses: anywhere in the input. `continues`: the calls may stand in an earlier response.
[[nodiscard]] Status<> checkItemPairs(simdjson::dom::array items, bool continues);

} // namespace weir::fake
