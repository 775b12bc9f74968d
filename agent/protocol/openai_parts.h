// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/translation.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace weir::protocol {

/// A content block and where it stands in its request.
struct Block
{
    json::Node node;
    /// In its message, and in the tool result that holds it.
    std::size_t index = 0;
    std::optional<std::size_t> inner;
};

/// Writes Anthropic's content blocks as the content of OpenAI's messages.
class OpenAiParts final
{
public:
    explicit OpenAiParts(const Translation& to)
        : m_to(to)
    {
    }

    /// Refuses what no part can say; must come before the block is written.
    [[nodiscard]] bool check(const json::Node& block, const Place& place);

    /// A text is told as a string where it stands alone and bears no mark that is kept, else all as
    /// parts; "" where there is nothing. `prefix` comes before the first text. Blocks must have
    /// been checked.
    void content(const std::vector<Block>& blocks, std::string_view prefix = {});

    /// The block's `cache_control`, where the target understands it.
    [[nodiscard]] json::Node markOf(const json::Node& block) const;

private:
    [[nodiscard]] bool checkImage(const json::Node& block, const Place& place);
    [[nodiscard]] bool checkDocument(const json::Node& block, const Place& place);
    void part(const json::Node& block, std::string_view prefix);
    void imageUrl(const json::Node& source);
    void file(const json::Node& block);

    const Translation& m_to;
};

/// A text block that says nothing.
[[nodiscard]] bool isEmptyText(const json::Node& block);

} // namespace weir::protocol
