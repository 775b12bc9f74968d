// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/translation.h"

namespace weir::protocol {

/// Blank text, which Anthropic takes in no block.
[[nodiscard]] bool isBlank(json::Raw text);

/// Writes the parts of OpenAI's messages as Anthropic's content blocks. Each verb writes one block
/// or none (a text that is blank); false where the part is refused.
class AnthropicBlocks final
{
public:
    explicit AnthropicBlocks(const Translation& to)
        : m_to(to)
    {
    }

    /// `mark` is its `cache_control`, if there is one.
    void text(json::Raw bytes, const json::Node& mark);

    /// What a system message says in the middle of a conversation, as a user's text that is marked:
    /// moved to the top it would change the beginning of the prompt in every turn (wire case B091).
    void systemText(json::Raw bytes, const json::Node& mark);

    /// A text part that `allowed` says; the same checks for every place where only texts stand.
    [[nodiscard]] bool isText(const json::Node& part, const Place& place);

    [[nodiscard]] bool image(const json::Node& part, const Place& place);

    /// A PDF.
    [[nodiscard]] bool file(const json::Node& part, const Place& place);

private:
    void begin(std::string_view type);
    void end(const json::Node& mark);

    const Translation& m_to;
};

} // namespace weir::protocol
