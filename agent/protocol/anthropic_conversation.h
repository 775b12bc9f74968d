// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/anthropic_blocks.h"
#include "agent/protocol/open_calls.h"
#include "agent/protocol/reasoning_slots.h"
#include "agent/protocol/tool_ids.h"
#include "agent/protocol/translation.h"

#include <string_view>
#include <vector>

namespace weir::protocol {

/// Writes OpenAI's messages as `system` and `messages` of a Messages request. Messages of one role
/// in a row become one; what stands between two of the assistant becomes one of the user, which
/// begins with the results of the calls, in their order (wire case B074).
class AnthropicConversation final
{
public:
    explicit AnthropicConversation(const Translation& to)
        : m_to(to)
        , m_blocks(to)
    {
    }

    [[nodiscard]] bool write(const json::Node& messages);

private:
    [[nodiscard]] bool writeSystem(const json::Node& messages);
    [[nodiscard]] bool take(const Numbered& message);
    [[nodiscard]] bool takeResult(const Numbered& message);

    [[nodiscard]] bool writeAssistant(const Numbered& message);
    [[nodiscard]] bool
    writeAssistantParts(const json::Node& content, const Place& place, ReasoningSlots& slots);
    [[nodiscard]] bool writeCall(const Numbered& message, const Numbered& call);
    [[nodiscard]] bool writeInput(const json::Node& arguments, const Place& place);

    [[nodiscard]] bool writeUserSide();
    [[nodiscard]] bool writeResult(const Call& call);
    [[nodiscard]] bool writeResultContent(const json::Node& content, const Place& place);
    [[nodiscard]] bool writeUser(const Numbered& message);
    [[nodiscard]] bool writeSystemTexts(const Numbered& message, bool marked);

    /// Blocks that follow are of this role.
    void openTurn(std::string_view role);
    void closeTurn();

    const Translation& m_to;
    AnthropicBlocks m_blocks;
    ToolIds m_ids;
    std::size_t m_leading = 0;
    /// Of the open turn; `system` is written like one.
    std::string_view m_role;
    OpenCalls m_calls;
    /// What the user and the system said since.
    std::vector<Numbered> m_waiting;
};

} // namespace weir::protocol
