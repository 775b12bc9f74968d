// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/arguments_end.h"
#include "agent/protocol/json_node.h"
#include "agent/protocol/reasoning_details.h"
#include "agent/protocol/stream_event.h"
#include "common/base/time.h"
#include "common/model/price.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::protocol {

/// Makes the chunks of an OpenAI stream out of an Anthropic stream. Content that OpenAI's protocol
/// has no words for (server tools and their results) is left out. Appends whole events to `out`.
class MessagesToChat final
{
public:
    explicit MessagesToChat(bool wantsUsage)
        : m_wantsUsage(wantsUsage)
    {
    }

    void read(const json::Node& event, UtcTime now, std::string& out);

    /// An event that is one piece of text or input; false where it must be read in whole.
    [[nodiscard]] bool addText(const StreamEvent& event, std::string& out);

    /// The last chunk, the usage chunk where it is wanted and known, `[DONE]`; once only.
    void end(const TokenUsage& usage, UtcTime now, std::string& out);

    /// See `ChatToMessages::hasBrokenCall`.
    [[nodiscard]] bool hasBrokenCall() const { return m_hasBrokenCall; }

    /// Thinking that waits for its signature.
    [[nodiscard]] std::size_t heldBytes() const { return m_thinking.size() + m_signature.size(); }

private:
    enum class Kind : std::uint8_t { Text, Thinking, ToolUse, Other };

    /// A content block that has begun and not ended.
    struct Block
    {
        std::int64_t index = 0;
        Kind kind = Kind::Other;
        std::int64_t call = 0;
        bool hasInput = false;
        ArgumentsEnd end;
        /// Input that the block's start brought.
        std::string input;
    };

    void start(std::string_view id, std::string_view model, UtcTime now, std::string& out);
    void startBlock(const json::Node& content, std::int64_t index, std::string& out);
    void readDelta(const json::Node& event, UtcTime now, std::string& out);
    void stopBlock(std::optional<std::int64_t> index, std::string& out);
    void startCall(const json::Node& content, Block& block, std::string& out);
    void addInput(Block* block, std::string_view piece, std::string& out);
    void writeInput(std::int64_t call, std::string_view piece, std::string& out) const;
    void writeContent(std::string_view text, std::string& out);
    void writeThinking(std::string_view text, std::string& out);
    void writeText(std::string_view member, std::string_view text, std::string& out) const;
    void writeChunk(std::string_view delta, std::string& out) const;
    void checkCalls();
    [[nodiscard]] Block* blockOf(const std::optional<std::int64_t>& index);

    /// A chunk as far as it is the same for all: to the beginning of `choices`.
    std::string m_head;
    std::string m_id;
    std::vector<Block> m_blocks;
    BlockPlaces m_places;
    std::string m_thinking;
    std::string m_signature;
    std::string m_stopReason;
    std::int64_t m_calls = 0;
    bool m_wantsUsage;
    bool m_hasCutCall = false;
    bool m_hasBrokenCall = false;
    bool m_hasEnded = false;
};

} // namespace weir::protocol
