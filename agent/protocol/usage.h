// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_raw.h"
#include "common/model/config.h"
#include "common/model/price.h"

#include <cstdint>
#include <optional>

namespace weir::protocol {

/// Token counts as a provider spells them. OpenAI's `input` holds cached tokens too, Anthropic's
/// does not.
struct UsageCounts
{
    std::optional<std::int64_t> input;
    std::optional<std::int64_t> output;
    std::optional<std::int64_t> cached;
    std::optional<std::int64_t> cacheWrite;
    std::optional<std::int64_t> reasoning;
    std::optional<std::int64_t> total;

    [[nodiscard]] bool isEmpty() const { return !input && !output && !cached && !cacheWrite; }

    /// Takes over what `later` knows, field by field.
    void override(const UsageCounts& later);
};

/// Output found in a message or in a piece of one.
struct OutputSeen
{
    enum class Kind : std::uint8_t { Other, Text, Thinking, Arguments };

    /// Text, refusal, reasoning or a piece of a tool call.
    bool any = false;
    /// Bytes of text, reasoning and tool arguments, for an estimate of tokens.
    std::int64_t textBytes = 0;
    /// All of it is one string of this kind, which is `text` as written: so it is in nearly every
    /// event of a stream.
    Kind kind = Kind::Other;
    json::Raw text;
    /// Of a tool call, or of a content block.
    std::optional<std::int64_t> index;
};

/// In disjoint classes. Counts that contradict each other are clamped and marked inconsistent.
[[nodiscard]] TokenUsage disjoint(Protocol protocol, const UsageCounts& counts);

/// Output tokens guessed from the text that was delivered: four bytes a token, rounded up, as the
/// usual tokenizers average on English and code.
[[nodiscard]] std::int64_t estimatedTokens(std::int64_t textBytes);

} // namespace weir::protocol
