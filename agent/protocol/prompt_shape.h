// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/api.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace weir::protocol {

/// What a prompt is made of, as far as it tells how many tokens it has. Sizes are in bytes of JSON
/// as written. Files and sound are not seen: what they come to, no size tells.
struct PromptShape
{
    /// Of all texts, without quotes; of texts to embed, which stand alone before the model, the
    /// longest.
    std::int64_t asciiBytes = 0;
    std::int64_t otherBytes = 0;
    /// Declarations of tools, and what calls handed to them.
    std::int64_t toolBytes = 0;
    std::int64_t images = 0;
    std::int64_t messages = 0;

    void addText(std::string_view text);

    [[nodiscard]] std::int64_t textBytes() const { return asciiBytes + otherBytes; }

    bool operator==(const PromptShape&) const = default;
};

/// Tokens of the prompt for a usual tokenizer, by its shape alone: what each route's own count is
/// learned against (`TokenBound`), so that it matters less how near it is than that it is steady.
/// The weights are in prompt_shape.cpp.
[[nodiscard]] std::int64_t promptEstimate(const PromptShape& shape);

/// All texts of the prompt, declarations of tools and calls, as written in `body`; of texts to
/// embed the longest. `body` as for `readRequest`; nothing where that refuses it.
[[nodiscard]] std::vector<std::string_view> promptTexts(Api api, std::string_view body);

/// What nearly every tokenizer counts at the least; for text alone, and 0 where nothing is known.
[[nodiscard]] std::int64_t promptTokensMin(const PromptShape& shape);

} // namespace weir::protocol
