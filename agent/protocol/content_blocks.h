// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/arguments_end.h"
#include "agent/protocol/json_raw.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::protocol {

/// One piece of a tool call as OpenAI's streams bring it; any of its members may be missing.
struct CallPiece
{
    std::optional<std::int64_t> index;
    json::Raw id;
    json::Raw name;
    json::Raw arguments;
};

/// The id of a call that came without one: the same for the same answer, and another in the next
/// answer of the conversation.
[[nodiscard]] std::string madeCallId(std::int64_t number, std::string_view messageId);

/// Writes the content of an Anthropic stream. Only one of its blocks may be open at a time, so what
/// belongs to a later one is held back until those before it are done (wire case B071): text and
/// thinking are done when something else follows, a tool call when its arguments are whole.
class ContentBlocks final
{
public:
    void addText(json::Raw piece, std::string& out) { add(Kind::Text, piece, out); }

    void addThinking(json::Raw piece, std::string& out) { add(Kind::Thinking, piece, out); }

    void addCall(const CallPiece& piece, std::string& out);

    /// For the ids of calls that come without one.
    void nameMessage(std::string_view id) { m_messageId = id; }

    /// Writes what was held back and closes what is open. A call whose arguments are not whole is
    /// closed only where the answer `isCut`, as its end then says.
    void closeAll(bool isCut, std::string& out) { advance(isCut ? Until::Cut : Until::End, out); }

    /// A call had to be closed and is no whole one: what was written stays without an end.
    [[nodiscard]] bool hasBrokenCall() const { return m_hasBrokenCall; }

    [[nodiscard]] bool hasToolCalls() const { return m_calls > 0; }

    [[nodiscard]] std::size_t heldBytes() const { return m_heldBytes; }

private:
    enum class Kind : std::uint8_t { Text, Thinking, ToolUse };

    /// How much of the answer there is.
    enum class Until : std::uint8_t { Now, Cut, End };

    /// All texts as written between the quotes of a JSON string.
    struct Block
    {
        Kind kind = Kind::Text;
        std::string held;
        std::optional<std::int64_t> callIndex;
        std::int64_t number = 0;
        std::string id;
        std::string name;
        ArgumentsEnd end;
        bool isOpen = false;
        bool isDone = false;
    };

    void add(Kind kind, json::Raw piece, std::string& out);
    Block& callOf(const CallPiece& piece);
    void put(Block& block, std::string_view piece, std::string& out);
    void advance(Until until, std::string& out);
    void open(Block& block, std::string& out);
    void close(Block& block, std::string& out);

    /// Calls that are done (their late pieces must be known), the block at `m_front`, then those
    /// that wait.
    std::vector<Block> m_blocks;
    std::size_t m_front = 0;
    std::string m_messageId;
    std::size_t m_heldBytes = 0;
    std::int64_t m_index = 0;
    std::int64_t m_calls = 0;
    bool m_hasBrokenCall = false;
};

} // namespace weir::protocol
