// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/openai_parts.h"
#include "agent/protocol/translation.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace weir::protocol {

/// Writes `system` and `messages` of a Messages request as OpenAI's messages. A user's message with
/// tool results becomes one `tool` message for each, then the rest of it; images of a result stand
/// in that rest, because a `tool` message holds texts alone. An assistant's texts stand before its
/// calls, whatever their order was.
class OpenAiConversation final
{
public:
    explicit OpenAiConversation(const Translation& to)
        : m_to(to)
        , m_parts(to)
    {
    }

    [[nodiscard]] bool write(const json::Node& system, const json::Node& messages);

private:
    [[nodiscard]] bool writeMessage(const json::Node& message, const Place& place);
    [[nodiscard]] bool writeSystem(const json::Node& content, const Place& place);
    [[nodiscard]] bool writeUser(const json::Node& content, const Place& place);
    [[nodiscard]] bool writeResult(const json::Node& block, const Place& place);
    [[nodiscard]] bool writeAssistant(const json::Node& content, const Place& place);
    [[nodiscard]] bool takeAnswerBlock(const json::Node& block, const Place& place);
    [[nodiscard]] bool checkThinking(const json::Node& block, const Place& place);
    [[nodiscard]] bool checkCall(const json::Node& block, const Place& place);
    void writeReasoning();
    void writeCalls();

    /// A message of one string, as it was written.
    void writeString(std::string_view role, const json::Node& content);
    void beginMessage(std::string_view role);

    const Translation& m_to;
    OpenAiParts m_parts;
    /// What the message that is being written consists of.
    std::vector<Block> m_texts;
    std::vector<json::Node> m_thoughts;
    std::vector<json::Node> m_calls;
    /// A message of another role than the system's was written.
    bool m_hasTurn = false;
};

} // namespace weir::protocol
