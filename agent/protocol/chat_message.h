// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/content_blocks.h"
#include "agent/protocol/json_node.h"

#include <string>

namespace weir::protocol {

/// Reads what OpenAI's `message` and `delta` have in common, in the many ways that servers write
/// it.

/// The reasoning under either of its two names; some servers send both.
[[nodiscard]] json::Node reasoningOf(const json::Node& message);

/// `take(Kind, Raw)` for each text of a `content` that is a string or, as Mistral's, a list of
/// parts.
enum class TextKind : std::uint8_t { Text, Thinking };

template <class Take>
void eachText(const json::Node& content, Take&& take)
{
    if (content.isString()) take(TextKind::Text, content.string());
    if (!content.isArray()) return;
    for (const json::Node part : content) {
        take(TextKind::Text, part["text"].string());
        const json::Node thinking = part["thinking"];
        take(TextKind::Thinking, thinking.string());
        if (!thinking.isArray()) continue;
        for (const json::Node piece : thinking)
            take(TextKind::Thinking, piece["text"].string());
    }
}

/// A member of `tool_calls`. `escaped` holds arguments that were sent as an object instead of as a
/// string.
[[nodiscard]] CallPiece readCall(const json::Node& call, std::string& escaped);

/// The text that ended the answer where the server tells it (vLLM's `stop_reason`, SGLang's
/// `matched_stop`).
[[nodiscard]] json::Raw stopSequenceOf(const json::Node& choice);

} // namespace weir::protocol
